// The page comes to life: theme, navigation, tables, charts, viewer, labels.

const POLL = 5000; // milliseconds between two looks at whether a served file has grown

function startTheme() {
  const root = document.documentElement;
  find("#theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    stored.set("wai-theme", root.dataset.theme);
  });
}

// The section that is read is told in the navigation: the last whose top has passed a third of the screen.
function startNavigation() {
  const links = findAll("#nav a");
  const sections = links.map((link) => document.getElementById(link.hash.slice(1)));
  let current = null;
  const mark = () => {
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const passed = sections.filter((section) => section.getBoundingClientRect().top < innerHeight / 3);
    const link = links[(atEnd ? sections.length : Math.max(1, passed.length)) - 1];
    if (link === current) return;
    current?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    current = link;
    const strip = find("#nav");
    if (strip.scrollWidth > strip.clientWidth) strip.scrollLeft = link.offsetLeft - strip.clientWidth / 3;
  };
  addEventListener("scroll", mark, { passive: true });
  addEventListener("resize", mark);
  mark();
}

function opened(target) {
  const opener = target.closest?.("[data-filter]");
  if (!opener || !filters[opener.dataset.filter]) return false;
  openViewer(opener.dataset.filter, opener.dataset.rollout === undefined ? undefined : Number(opener.dataset.rollout));
  return true;
}

function startOpeners() {
  document.addEventListener("click", (event) => opened(event.target));
  document.addEventListener("keydown", (event) => {
    const mark = event.target.closest?.("svg [data-filter]");
    if (mark && (event.key === "Enter" || event.key === " ") && opened(mark)) event.preventDefault();
  });
}

function openAddressed() {
  const [, by, name] = /^#rollout([-=])(.+)$/.exec(location.hash) ?? [];
  const index = by === "=" ? rollouts.key.indexOf(decoded(name)) : /^\d+$/.test(name ?? "") ? Number(name) : -1;
  if (index >= 0 && index < held) openViewer(":all", index);
}

function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return "";
  }
}

const hasGrown = async () => {
  try {
    const answer = await fetch(serve.version, { headers: { "X-Wai-Token": serve.token } });
    return answer.ok && (await answer.text()) !== serve.at;
  } catch {
    return false; // the server is away: the page stays as it is
  }
};

// A served page says when its files have grown; it reloads when asked, so that nobody loses their place.
async function watch() {
  if (!serve?.version) return;
  do await new Promise((resume) => setTimeout(resume, POLL));
  while (!(await hasGrown()));
  const reload = element("button", { type: "button", class: "primary" }, "Read them");
  reload.addEventListener("click", () => location.reload());
  document.body.append(element("div", { class: "grown", role: "status" }, "There are new rows.", reload));
}

startTheme();
makeTables();
startLabels();
startViewer();
startOpeners();
startNavigation();
drawAll();
watch();
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", openAddressed);
else openAddressed();

// The viewer: the rollouts behind a number as a list, one of them as a conversation, and a person's label.

const ROW = 56; // pixels of a line of the list, as in the style sheet
const SPARE = 6; // lines drawn beyond what is seen
const AT_ONCE = 40; // milliseconds of search before the page may draw again

const viewer = {
  dialog: find("#viewer"),
  list: find("#viewer-list"),
  rows: find("#viewer-rows"),
  talk: find("#viewer-talk"),
  search: find("#viewer-search"),
  note: find("#note"),
  said: find("#verdict-said"),
  filter: null,
  shown: [], // indexes of rollouts, those of the filter that have the words
  at: -1,
  query: "",
  searching: 0,
  hash: "",
};

function openViewer(id, rollout) {
  viewer.filter = filters[id];
  viewer.queued = id === ":review";
  viewer.query = viewer.search.value = "";
  viewer.searching += 1;
  viewer.shown = viewer.filter.rollouts;
  find("#viewer-title").textContent = plainText(viewer.filter.label);
  if (!viewer.dialog.open) {
    viewer.hash = location.hash;
    viewer.dialog.showModal();
  }
  const first = viewer.queued ? viewer.shown.findIndex((index) => !labelOf(index)) : 0;
  const place = rollout === undefined ? first : viewer.shown.indexOf(rollout);
  viewer.list.scrollTop = 0;
  countShown();
  select(Math.max(0, place));
  viewer.talk.focus({ preventScroll: true });
}

function countShown() {
  const here = viewer.filter.rollouts.length, all = viewer.filter.total;
  const behind = all > here ? `${here.toLocaleString("en")} of ${counted(all, "rollout")} are in this page` : counted(here, "rollout");
  find("#viewer-count").textContent = viewer.query ? `${viewer.shown.length.toLocaleString("en")} of ${counted(here, "rollout")} with “${plainText(viewer.query)}”` : behind;
  viewer.rows.style.height = `${viewer.shown.length * ROW}px`;
}

function select(place) {
  viewer.at = Math.min(place, viewer.shown.length - 1);
  const index = viewer.shown[viewer.at];
  drawList();
  find("#viewer-previous").disabled = viewer.at <= 0;
  find("#viewer-next").disabled = viewer.at >= viewer.shown.length - 1;
  viewer.dialog.classList.remove("listing");
  find("#viewer-fold").setAttribute("aria-expanded", "false");
  if (index === undefined) {
    const none = viewer.query ? "None of these rollouts has this text." : "None of the rollouts behind this number is in the page's sample.";
    viewer.talk.replaceChildren(element("p", { class: "nothing" }, none));
    showVerdict(undefined);
    return;
  }
  viewer.talk.replaceChildren(...talk(index, viewer.query));
  viewer.talk.scrollTop = 0;
  if (viewer.query) nextMark("hit");
  address(rollouts.key[index] === null ? `#rollout-${index}` : `#rollout=${encodeURIComponent(rollouts.key[index].toWellFormed())}`);
  showVerdict(index);
}

// The rollout in the address, by its name where it has one, so that a copied address opens it in a later page too.
function address(hash) {
  try {
    history.replaceState(null, "", hash || location.pathname + location.search);
  } catch {
    // A page without an address of its own, such as one in a notebook's frame.
  }
}

function step(by) {
  const to = viewer.at + by;
  if (to >= 0 && to < viewer.shown.length) select(to);
}

function drawList() {
  const top = viewer.at * ROW, seen = viewer.list.clientHeight;
  if (top < viewer.list.scrollTop) viewer.list.scrollTop = top;
  else if (seen && top + ROW > viewer.list.scrollTop + seen) viewer.list.scrollTop = top + ROW - seen;
  drawRows();
  viewer.list.setAttribute("aria-activedescendant", viewer.at >= 0 ? `option-${viewer.at}` : "");
}

// Only the lines near those seen are elements.
function drawRows() {
  const from = Math.max(0, Math.floor(viewer.list.scrollTop / ROW) - SPARE);
  const to = Math.min(viewer.shown.length, from + Math.ceil(viewer.list.clientHeight / ROW) + 2 * SPARE);
  const places = new Set([viewer.at]);
  for (let place = from; place < to; place++) places.add(place);
  places.delete(-1);
  viewer.rows.replaceChildren(...[...places].sort((a, b) => a - b).map(option));
}

function option(place) {
  const index = viewer.shown[place];
  const flags = [...new Set(rollouts.flags[index].map(plainText))];
  const made = element(
    "div",
    { class: "option", role: "option", id: `option-${place}`, "aria-selected": String(place === viewer.at), "aria-posinset": place + 1, "aria-setsize": viewer.shown.length },
    element("div", {}, element("span", { class: "task" }, nameOf(index)), badge(index, "you: ") || null, element("span", { class: `badge ${rollouts.label[index]}` }, rollouts.label[index])),
    element("div", { class: "under" }, flags.length ? element("span", { class: "badge flagged" }, flags.join(", ")) : element("span", {}, rewardText(rollouts.reward[index]))),
  );
  made.style.top = `${place * ROW}px`;
  made.addEventListener("click", () => select(place));
  return made;
}

async function searchText() {
  const query = viewer.search.value.trim();
  const turn = ++viewer.searching;
  const words = query.toLowerCase();
  let found = viewer.filter.rollouts;
  if (words) {
    found = [];
    let since = performance.now();
    for (const index of viewer.filter.rollouts) {
      if (mentions(index, words)) found.push(index);
      if (performance.now() - since < AT_ONCE) continue;
      await new Promise((resume) => setTimeout(resume));
      if (turn !== viewer.searching) return; // typed on
      since = performance.now();
    }
  }
  const before = viewer.shown[viewer.at];
  viewer.query = query;
  viewer.shown = found;
  countShown();
  select(Math.max(0, found.indexOf(before)));
}

function nextMark(kind) {
  const marks = findAll(`mark.${kind}`, viewer.talk);
  if (!marks.length) return false;
  const current = marks.findIndex((mark) => mark.classList.contains("current"));
  for (const mark of findAll("mark.current", viewer.talk)) mark.classList.remove("current");
  const mark = marks[(current + 1) % marks.length];
  mark.classList.add("current");
  mark.scrollIntoView({ block: "center" });
  return true;
}

const KEYS = {
  j: () => step(1),
  k: () => step(-1),
  ArrowRight: () => step(1),
  ArrowLeft: () => step(-1),
  p: () => decide("pass"),
  f: () => decide("fail"),
  u: () => decide("unsure"),
  x: clearVerdict,
  n: () => viewer.note.focus(),
  e: () => nextMark("evidence"),
  "/": () => viewer.search.focus(),
};
const HELD = new Set(["j", "k", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"]); // a held key goes on
const LIST_KEYS = {
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
  Home: () => select(0),
  End: () => select(viewer.shown.length - 1),
};

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.tagName === "INPUT") {
    typed(event);
    return;
  }
  const act = (event.target === viewer.list && LIST_KEYS[event.key]) || KEYS[event.key];
  if (act) {
    event.preventDefault();
    if (!event.repeat || HELD.has(event.key)) act();
  }
}

// In a field, Enter and Esc lead back to the conversation.
function typed(event) {
  if (event.key === "Enter" && event.target === viewer.search && viewer.query === viewer.search.value.trim() && viewer.query) {
    event.preventDefault();
    if (!nextMark("hit")) step(1);
  } else if (event.key === "Enter" || event.key === "Escape") {
    event.preventDefault();
    if (event.key === "Escape" && event.target === viewer.search && viewer.search.value) {
      viewer.search.value = "";
      searchText();
    }
    viewer.talk.focus({ preventScroll: true });
  }
}

function startViewer() {
  let waiting;
  find("#verdicts").hidden = viewer.note.hidden = !labelled;
  viewer.dialog.addEventListener("keydown", pressed);
  viewer.dialog.addEventListener("click", (event) => {
    if (event.target === viewer.dialog) viewer.dialog.close(); // the backdrop
  });
  viewer.dialog.addEventListener("close", () => address(viewer.hash));
  viewer.list.addEventListener("scroll", drawRows);
  viewer.search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(searchText, 150);
  });
  viewer.note.addEventListener("change", noted);
  listeners.push(() => viewer.dialog.open && drawRows());
  find("#viewer-close").addEventListener("click", () => viewer.dialog.close());
  find("#viewer-previous").addEventListener("click", () => step(-1));
  find("#viewer-next").addEventListener("click", () => step(1));
  find("#viewer-fold").addEventListener("click", () => {
    const listing = viewer.dialog.classList.toggle("listing");
    find("#viewer-fold").setAttribute("aria-expanded", String(listing));
    if (listing) drawList();
  });
  for (const button of findAll("[data-verdict]")) button.addEventListener("click", () => decide(button.dataset.verdict));
  addEventListener("resize", () => viewer.dialog.open && drawRows());
}

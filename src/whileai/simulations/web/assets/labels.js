// Labels that a person gives: kept by the row's name, saved as a file that attach_labels reads, or sent to the server.

const VALUES = { pass: 1, fail: 0, unsure: null };
const labels = new Map(); // a row's name -> its record
const listeners = [];
const serve = data.serve;
const storeName = `wai-labels ${fingerprint(data.title + "\n" + rollouts.key.join("\n"))}`;
let unsaved = 0;

function fingerprint(text) {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return (hash >>> 0).toString(16);
}

const verdictOf = (record) => Object.keys(VALUES).find((name) => VALUES[name] === record.label);
const labelOf = (index) => labels.get(rollouts.key[index]) ?? null;

function giveLabel(index, verdict, note) {
  const record = { key: rollouts.key[index], label: VALUES[verdict], kind: "human", ts: Date.now() / 1000 };
  if (verdict === "unsure") record.unsure = true;
  const annotator = find("#annotator")?.value.trim();
  if (annotator) record.annotator = annotator;
  if (note) record.note = note;
  labels.set(record.key, record);
  return keep(record);
}

function takeBack(index) {
  const key = rollouts.key[index];
  return labels.delete(key) ? keep({ key, label: "cleared" }) : Promise.resolve("");
}

// What became of a label, in words; "" when there is nothing to say.
async function keep(record) {
  unsaved += 1;
  listeners.forEach((listen) => listen());
  if (!serve) {
    stored.set(storeName, JSON.stringify([...labels.values()]));
    return "";
  }
  try {
    const answer = await fetch(serve.labels, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Wai-Token": serve.token },
      body: JSON.stringify(record),
    });
    if (answer.ok) {
      unsaved -= 1;
      return "saved";
    }
    return `not saved: the server answered ${answer.status}`;
  } catch {
    return "not saved: the server did not answer; is wai serve still running?";
  }
}

function saveFile() {
  const lines = [...labels.values()].map((record) => JSON.stringify(record) + "\n");
  const address = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
  element("a", { href: address, download: "labels.jsonl" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  unsaved = 0;
}

function tally() {
  const counts = { pass: 0, fail: 0, unsure: 0 };
  for (const record of labels.values()) counts[verdictOf(record)] += 1;
  const parts = Object.entries(counts).filter(([, n]) => n).map(([name, n]) => `${n} ${name}`);
  return labels.size ? `${labels.size} labelled: ${parts.join(", ")}` : "";
}

function badge(index, whose = "") {
  const record = labelOf(index);
  return record ? element("span", { class: `badge ${verdictOf(record)}` }, whose + verdictOf(record)) : "";
}

function startLabels() {
  let before = [];
  try {
    before = serve ? (serve.given ?? []) : JSON.parse(stored.get(storeName) ?? "[]");
  } catch {
    before = []; // not ours, or cut short
  }
  const names = new Set(rollouts.key);
  for (const record of before) {
    if (names.has(record.key) && verdictOf(record)) labels.set(record.key, record);
  }
  const name = find("#annotator");
  if (!name) return; // no rollouts in this page: nothing to label
  name.value = stored.get("wai-annotator") ?? "";
  name.addEventListener("change", () => stored.set("wai-annotator", name.value.trim()));
  for (const button of findAll("[data-save]")) button.addEventListener("click", saveFile);
  const queue = tables.find((table) => table.figure.dataset.block === "review-1");
  const update = () => {
    find("#labelled").textContent = tally();
    for (const button of findAll("[data-save]")) button.hidden = !labels.size;
    queue?.show();
  };
  if (queue) queue.decorate = (row, i) => row.lastChild.replaceChildren(badge(queue.grid.rows[i].rollout));
  listeners.push(update);
  update();
  addEventListener("beforeunload", (event) => {
    if (unsaved && (serve || stored.get(storeName) === null)) event.preventDefault();
  });
}

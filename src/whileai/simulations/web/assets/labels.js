// Labels that a person gives: kept by the row's name, saved as a file that attach_labels reads, or sent to the server.

const VALUES = { pass: 1, fail: 0, unsure: null };
const labels = new Map(); // a row's name -> the record of the person who reads
let everybody = []; // the records of all who label at a server
const latest = new Map(); // a row's name -> what was last sent of it
const touched = new Set(); // names of rows labelled in this window: of others the last window's word counts
const refused = new Map(); // what of it the server did not take
const listeners = [];
const serve = data.serve;
const storeName = `wai-labels ${fingerprint(data.title + "\n" + rollouts.key.join("\n"))}`;
let unsaved = 0; // in no file yet; of a served page, on their way

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
  everybody.push(record);
  return keep(record);
}

function takeBack(index) {
  const key = rollouts.key[index], record = labels.get(key);
  if (!record) return Promise.resolve("");
  labels.delete(key);
  everybody = everybody.filter((each) => each.key !== key || each.annotator !== record.annotator);
  return keep({ key, label: "cleared", ...(record.annotator && { annotator: record.annotator }) });
}

// What became of a label, in words; "" when there is nothing to say. One that is saved takes those refused before along.
async function keep(record) {
  if (!serve) {
    unsaved += 1;
    touched.add(record.key);
    const elsewhere = storedLabels().filter((each) => !touched.has(each.key));
    for (const each of elsewhere) labels.set(each.key, each);
    stored.set(storeName, JSON.stringify([...labels.values()]));
    changed();
    return "";
  }
  changed();
  latest.set(record.key, record);
  refused.delete(record.key);
  const said = await sent(record);
  if (said === SAVED) {
    for (const late of [...refused.values()]) {
      if (refused.delete(late.key)) await sent(late);
    }
  }
  changed();
  return said;
}

const SAVED = "saved";

async function sent(record) {
  unsaved += 1;
  let said = "the server did not answer; is wai serve still running?";
  try {
    const answer = await fetch(serve.labels, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Wai-Token": serve.token },
      body: JSON.stringify(record),
    });
    said = answer.ok ? SAVED : `the server answered ${answer.status}`;
  } catch {
    // it is away
  }
  unsaved -= 1;
  if (said === SAVED) return said;
  if (latest.get(record.key) === record) refused.set(record.key, record);
  return `not saved: ${said}`;
}

const changed = () => listeners.forEach((listen) => listen());

function saveFile() {
  const lines = [...labels.values()].map((record) => JSON.stringify(record) + "\n");
  const address = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
  element("a", { href: address, download: "labels.jsonl" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  if (!serve) unsaved = 0;
}

function tally() {
  const counts = { pass: 0, fail: 0, unsure: 0 };
  for (const record of labels.values()) counts[verdictOf(record)] += 1;
  const parts = Object.entries(counts).filter(([, n]) => n).map(([name, n]) => `${n} ${name}`);
  const said = labels.size ? [`${labels.size} labelled: ${parts.join(", ")}`] : [];
  return [...said, ...(refused.size ? [`${refused.size} not saved`] : [])].join("; ");
}

function badge(index, whose = "") {
  const record = labelOf(index);
  if (!record) return "";
  const missed = refused.has(record.key) ? ", not saved" : "";
  return element("span", { class: `badge ${verdictOf(record)}` }, whose + verdictOf(record) + missed);
}

// The labels of the person who reads, and nobody's: what others said would sway what is said next.
function takeUp(name) {
  labels.clear();
  const own = everybody.filter((record) => !serve || !record.annotator || record.annotator === name);
  for (const record of own.sort((a, b) => Boolean(a.annotator) - Boolean(b.annotator))) labels.set(record.key, record);
}

// What the browser keeps of this file's labels; nothing of what is none.
function storedLabels() {
  try {
    const kept = JSON.parse(stored.get(storeName) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isLabel) : [];
  } catch {
    return []; // cut short
  }
}

const isLabel = (record) => typeof record?.key === "string" && verdictOf(record) !== undefined;

function startLabels() {
  const before = serve ? (serve.given ?? []) : storedLabels();
  const name = find("#annotator");
  if (!name) return; // nothing in this page can be labelled
  name.value = stored.get("wai-annotator") ?? "";
  const names = new Set(rollouts.key);
  everybody = before.filter((record) => names.has(record.key) && isLabel(record));
  takeUp(name.value);
  name.addEventListener("change", () => {
    stored.set("wai-annotator", name.value.trim());
    takeUp(name.value.trim());
    changed();
  });
  for (const button of findAll("[data-save]")) button.addEventListener("click", saveFile);
  const queue = tables.find((table) => table.figure.dataset.block === "review-1");
  const update = () => {
    find("#labelled").textContent = tally();
    for (const button of findAll("[data-save]")) button.hidden = serve ? !refused.size : !labels.size;
    queue?.show();
  };
  if (queue) queue.decorate = (row, i) => row.lastChild.replaceChildren(badge(queue.grid.rows[i].rollout));
  listeners.push(update);
  update();
  addEventListener("beforeunload", (event) => {
    const atRisk = serve ? unsaved + refused.size : unsaved && stored.get(storeName) === null;
    if (atRisk) event.preventDefault();
  });
}

// What a person says of the rollout that is shown: pass, fail or unsure, and a note.

const drafts = new Map(); // notes on rollouts without a label yet
const UNNAMED = "No label: this row has no name of its own that a label could find it by. Give rows a rollout_id.";
const UNSIGNED = "no name is on it: enter yours at the review queue";

function showVerdict(index, said = "") {
  const named = index !== undefined && rollouts.key[index] !== null;
  const record = named ? labelOf(index) : null;
  for (const button of findAll("[data-verdict]")) {
    button.disabled = !named;
    button.setAttribute("aria-pressed", String(record !== null && verdictOf(record) === button.dataset.verdict));
  }
  viewer.note.disabled = !named;
  viewer.note.placeholder = named ? `Note on ${nameOf(index)}` : "Note";
  viewer.note.value = record ? (record.note ?? "") : (drafts.get(index) ?? "");
  viewer.said.textContent = index !== undefined && !named && labelled ? UNNAMED : said;
}

// In the queue a label moves on to the next rollout; elsewhere the reader stays.
async function decide(verdict) {
  const index = viewer.shown[viewer.at];
  if (index === undefined || rollouts.key[index] === null) return;
  const kept = giveLabel(index, verdict, viewer.note.value.trim());
  drafts.delete(index);
  const moved = viewer.queued && viewer.at < viewer.shown.length - 1;
  if (moved) select(viewer.at + 1);
  else drawRows();
  const what = `${nameOf(index)}: ${verdict}`;
  showVerdict(viewer.shown[viewer.at], what);
  const outcome = [await kept, find("#annotator").value.trim() ? "" : UNSIGNED].filter(Boolean);
  if (outcome.length) viewer.said.textContent = [what, ...outcome].join(", ");
}

async function clearVerdict() {
  const index = viewer.shown[viewer.at];
  if (index === undefined || !labelOf(index)) return;
  const kept = takeBack(index);
  drawRows();
  showVerdict(index, `${nameOf(index)}: label cleared`);
  const outcome = await kept;
  if (outcome) viewer.said.textContent = `${nameOf(index)}: label cleared, ${outcome}`;
}

// A note on a rollout that has its label is kept with it; without a label it waits for one.
async function noted() {
  const index = viewer.shown[viewer.at], note = viewer.note.value.trim();
  if (index === undefined) return;
  const record = labelOf(index);
  if (!record) drafts.set(index, note);
  if (!record || (record.note ?? "") === note) return;
  const outcome = await giveLabel(index, verdictOf(record), note);
  if (outcome) viewer.said.textContent = `${nameOf(index)}: note, ${outcome}`;
}

// The document as it travels: one element for what every page needs, one for each rollout, parsed when looked at.

const data = JSON.parse(find("#wai-data").content.textContent);
const unseen = new RegExp(`[${data.unseen}]`, "gu");
const rollouts = data.rollouts;
const held = rollouts.name.length;

const filters = Object.assign(Object.create(null), data.filters, {
  ":all": { label: "All rollouts in this page", rollouts: Array.from({ length: held }, (_, i) => i), total: rollouts.total },
  ":review": { label: "Review queue", rollouts: data.queue.map((queued) => queued.rollout), total: data.queue.length },
});
const whyOf = new Map(data.queue.map((queued) => [queued.rollout, queued.why]));

const labelled = rollouts.key.some((key) => key !== null); // whether any rollout of this page can be labelled

let bodies = null;

// The JSON text of a rollout; null while the page still loads.
function rawBody(index) {
  if (!bodies || (bodies.length < held && document.readyState === "loading")) {
    bodies = document.querySelectorAll("template[data-rollout]");
  }
  return bodies[index]?.content.textContent ?? null;
}

function body(index) {
  const raw = rawBody(index);
  return raw === null ? null : JSON.parse(raw);
}

const nameOf = (index) => plainText(rollouts.name[index]);

function rewardText(value) {
  return value === null ? "no reward" : `reward ${Number.isInteger(value) ? value.toFixed(1) : +value.toFixed(3)}`;
}

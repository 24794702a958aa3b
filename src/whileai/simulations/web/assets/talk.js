// One rollout as a conversation. Long texts are folded around what is marked in them.

const WHO = { system: "System", user: "User", agent: "Agent", thought: "Thought", call: "Call", result: "Result", note: "Note" };
const HEAD = { system: 300, result: 900, call: 1500, thought: 1500, user: 4000, agent: 4000, note: 1500 }; // characters before the fold
const AROUND = 300; // characters shown on each side of a mark within a fold
const MORE = 20_000; // characters that one press unfolds
const MOST_MARKS = 400; // in one text
const EVIDENCE_PIECE = 400; // characters of one stretch of evidence

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// Evidence as it may stand in the text: white space of any kind, and pieces on both sides of an ellipsis.
function evidencePatterns(flags) {
  const pieces = flags.flatMap((flag) => (flag.evidence ?? "").split(/…|\.\.\./)).map((piece) => piece.trim().slice(0, EVIDENCE_PIECE));
  return [...new Set(pieces)].filter((piece) => piece.length > 1).map((piece) => new RegExp(piece.split(/\s+/).map(escaped).join("\\s+"), "g"));
}

const searchPattern = (query) => (query ? new RegExp(escaped(query), "gi") : null);

// Stretches to mark, in order and apart: [from, to, class]. What was searched for is marked within evidence too.
function marksIn(text, evidence, hit) {
  const hits = stretches(text, hit ? [hit] : [], "hit");
  const marks = stretches(text, evidence, "evidence").flatMap((mark) => without(mark, hits));
  return [...hits, ...marks].sort((a, b) => a[0] - b[0]);
}

function stretches(text, patterns, kind) {
  const found = patterns.flatMap((pattern) => firstOf(text.matchAll(pattern)).map((match) => [match.index, match.index + match[0].length, kind]));
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  let end = -1;
  return found.filter(([from, to]) => from >= end && ((end = to), true));
}

function firstOf(matches) {
  const first = [];
  for (const match of matches) {
    if (first.push(match) === MOST_MARKS) break;
  }
  return first;
}

// The parts of a stretch that lie between the others.
function without([from, to, kind], others) {
  const parts = [];
  for (const [start, end] of others) {
    if (end <= from || start >= to) continue;
    if (start > from) parts.push([from, start, kind]);
    from = end;
  }
  if (from < to) parts.push([from, to, kind]);
  return parts;
}

const LONG_WORD = 40; // characters

// The place or, within a word of a usual length, the word's start.
function betweenWords(text, place) {
  let start = place;
  while (start > place - LONG_WORD && /\S/.test(text[start - 1])) start -= 1;
  return start > place - LONG_WORD ? start : place;
}

// The stretches of a text that are shown at first: its head, and around each mark.
function openParts(text, head, marks) {
  const length = text.length;
  if (length <= head * 1.25) return [[0, length]];
  const parts = [[0, betweenWords(text, head)]];
  for (const [from, to] of marks) {
    const last = parts.at(-1);
    const start = Math.max(0, from - AROUND), end = Math.min(length, to + AROUND);
    if (start <= last[1] + AROUND) last[1] = Math.max(last[1], end);
    else parts.push([start, end]);
  }
  return parts;
}

function stretch(text, from, to, marks) {
  const nodes = document.createDocumentFragment();
  let at = from;
  for (const [start, end, kind] of marks) {
    if (end <= at || start >= to) continue;
    nodes.append(shownText(text.slice(at, Math.max(at, start))));
    nodes.append(element("mark", { class: kind }, shownText(text.slice(Math.max(at, start), Math.min(end, to)))));
    at = Math.min(end, to);
  }
  nodes.append(shownText(text.slice(at, to)));
  return nodes;
}

function saidText(text, head, marks) {
  const said = element("div", { class: "said", dir: "auto" });
  const parts = openParts(text, head, marks);
  parts.forEach(([from, to], i) => {
    said.append(stretch(text, from, to, marks));
    const next = parts[i + 1]?.[0] ?? text.length;
    if (next > to) said.append(gap(text, to, next, marks));
  });
  return said;
}

function gap(text, from, to, marks) {
  const size = to - from;
  const what = size > MORE ? `Show ${MORE.toLocaleString("en")} of ${counted(size, "more character")}` : `Show ${counted(size, "more character")}`;
  const button = element("button", { type: "button", class: "gap" }, what);
  button.addEventListener("click", () => {
    const end = Math.min(to, from + MORE);
    const parts = [stretch(text, from, end, marks)];
    const rest = end < to ? gap(text, end, to, marks) : null;
    if (rest) parts.push(rest);
    button.replaceWith(...parts);
    (rest ?? find("#viewer-talk")).focus({ preventScroll: true });
  });
  return button;
}

// A call's arguments as a person writes them, when they are JSON of a readable size.
function readable(turn) {
  if (turn.who !== "call" || turn.text.length > MORE || !/^\s*[[{]/.test(turn.text)) return turn.text;
  try {
    return JSON.stringify(JSON.parse(turn.text), null, 2);
  } catch {
    return turn.text;
  }
}

function turnElement(turn, evidence, hit) {
  const text = readable(turn);
  const made = element(
    "section",
    { class: `turn ${turn.who}${turn.failed ? " failed" : ""}` },
    element(
      "header", {},
      element("b", {}, WHO[turn.who]),
      turn.name ? element("code", {}, plainText(turn.name)) : null,
      turn.failed ? element("span", { class: "broke" }, "failed") : null,
    ),
  );
  made.append(text ? saidText(text, HEAD[turn.who], marksIn(text, evidence, hit)) : element("p", { class: "nothing" }, "(empty)"));
  return made;
}

function headElement(index, rollout) {
  const place = rollout.file === null ? null : plainText(rollout.file) + (rollout.row === null ? "" : `, row ${rollout.row}`);
  const facts = [
    rewardText(rollouts.reward[index]),
    rollout.gold === null ? null : `gold ${rollout.gold}`,
    rollouts.status[index] ? `status ${plainText(rollouts.status[index])}` : null,
    rollouts.length[index] === null ? null : counted(rollouts.length[index], "character"),
    place,
  ].filter(Boolean);
  const label = rollouts.label[index];
  const head = element(
    "header",
    { class: "talk-head" },
    element("h3", { id: "talk-title" }, nameOf(index)),
    element("p", { class: "line" }, element("span", { class: `badge ${label}` }, label), ...facts.map((fact) => element("span", {}, fact))),
  );
  if (rollout.reason) head.append(element("p", { class: "reason", dir: "auto" }, shownText(rollout.reason)));
  for (const why of whyOf.get(index) ?? []) head.append(element("p", { class: "why" }, plainText(why)));
  if (rollout.flags.length) head.append(element("ul", { class: "flags", "aria-label": "Flags" }, ...rollout.flags.map(flagElement)));
  const markers = Object.entries(rollout.markers ?? {});
  if (markers.length) {
    const pairs = markers.map(([name, value]) => element("div", {}, element("dt", {}, plainText(name)), element("dd", {}, plainText(typeof value === "string" ? value : JSON.stringify(value)))));
    head.append(element("dl", { class: "markers" }, ...pairs));
  }
  if (rollout.cut) head.append(element("p", { class: "cut" }, "Cut to keep this page small; the file has it whole."));
  return head;
}

const EVIDENCE_SHOWN = 200; // characters of it in the list of flags

function flagElement(flag) {
  const evidence = plainText(flag.evidence);
  const shown = evidence.length > EVIDENCE_SHOWN ? `${evidence.slice(0, EVIDENCE_SHOWN)}…` : evidence;
  if (!shown) return element("li", {}, plainText(flag.name));
  const quoted = element("button", { type: "button", class: "to", title: "Go to it (e)" }, element("q", {}, shown));
  quoted.addEventListener("click", () => nextMark("evidence"));
  return element("li", {}, plainText(flag.name), " ", quoted);
}

function talk(index, query) {
  const rollout = body(index);
  if (!rollout) return [element("p", { class: "nothing" }, "The page is still loading.")];
  const evidence = evidencePatterns(rollout.flags), hit = searchPattern(query);
  return [headElement(index, rollout), ...rollout.turns.map((turn) => turnElement(turn, evidence, hit))];
}

// Whether a rollout's text has the (lower case) words; its JSON is looked at first, which is cheaper than parsing it.
function mentions(index, query) {
  if (nameOf(index).toLowerCase().includes(query)) return true;
  const inJson = JSON.stringify(query).slice(1, -1);
  if (!(rawBody(index) ?? "").toLowerCase().includes(inJson)) return false;
  const rollout = body(index);
  return [rollout.reason, ...rollout.turns.flatMap((turn) => [turn.text, turn.name])].some((text) => text?.toLowerCase().includes(query));
}

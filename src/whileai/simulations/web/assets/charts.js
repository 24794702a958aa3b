// Charts, drawn by Observable Plot. Intervals, bars and steps are tables whose plot column is drawn over by one chart.

const TONES = {
  good: { color: "var(--good)", symbol: "triangle" },
  bad: { color: "var(--bad)", symbol: "triangle2" },
  flat: { color: "var(--accent)", symbol: "circle" },
  unknown: { color: "var(--soft)", symbol: "circle" },
};
const DOWN = {
  draw(context, size) {
    const side = Math.sqrt(size / (Math.sqrt(3) * 3));
    context.moveTo(0, side * 2);
    context.lineTo(Math.sqrt(3) * side, -side);
    context.lineTo(-Math.sqrt(3) * side, -side);
    context.closePath();
  },
};
const AXIS = 34; // pixels below a chart for ticks and their numbers, as in the style sheet
const FIRST_LINE = 18; // pixels from the top of a row to the middle of its first line

const SHEET = 900; // pixels of a chart that fit on a sheet of paper
const AXIS_TEXT = 60; // characters of an axis label

const known = (values) => values.filter((value) => value !== null && Number.isFinite(value));

// The ends of an axis: those given, those the unit has, else those of the values and the reference with some air.
function domainOf(block) {
  if (block.domain) return block.domain;
  if (block.unit === "rate") return [0, 1];
  const values = known([block.reference, ...(block.band ?? []), ...block.rows.flatMap((row) => [row.value, row.low, row.high])]);
  if (block.unit !== "number") values.push(0);
  const low = Math.min(...values), high = Math.max(...values);
  const air = (high - low || 1) * 0.06;
  if (block.unit !== "number" && values.length) {
    const reach = Math.max(-low, high, 0.05) + air;
    return low >= 0 ? [Math.min(0, -reach / 8), reach] : high <= 0 ? [-reach, reach / 8] : [-reach, reach];
  }
  return values.length ? [low - air, high + air] : [0, 1];
}

const axisText = (text) => (plainText(text).length > AXIS_TEXT ? `${plainText(text).slice(0, AXIS_TEXT)}…` : plainText(text));
const signed = (value) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

function plotted(options) {
  const svg = Plot.plot({ className: "plot", ...options, marks: options.marks.filter(Boolean) });
  // Plot's own style element would need a hash; what it says stands in the page's style sheet.
  for (const style of findAll("style", svg)) style.remove();
  return svg;
}

// Where the plot column lies: pixels from the stage's corner.
function layout(stage) {
  const corner = stage.getBoundingClientRect();
  const cells = findAll("td.plot", stage).map((cell) => cell.getBoundingClientRect());
  if (!cells[0].width) return null; // left off the paper
  const top = cells[0].top - corner.top;
  const bottom = cells.at(-1).bottom - corner.top;
  const left = cells[0].left - corner.left + 10;
  // Beside the first line of a label of several lines.
  const ys = cells.map((cell) => Math.min((cell.top + cell.bottom) / 2, cell.top + FIRST_LINE) - corner.top);
  return { width: corner.width, top, bottom, left, right: left + cells[0].width - 30, ys };
}

function overlay(stage, marksOf, x) {
  const at = layout(stage);
  if (!at) return;
  stage.classList.toggle("tall", at.bottom > SHEET);
  const svg = plotted({
    width: at.width,
    height: at.bottom + AXIS,
    marginLeft: at.left,
    marginRight: Math.max(0, at.width - at.right),
    marginTop: at.top,
    marginBottom: AXIS,
    x: { ...x, label: null, clamp: true },
    y: { type: "identity", axis: null },
    marks: [
      Plot.gridX({ y1: at.top, y2: at.bottom, ticks: Math.max(3, Math.round((at.right - at.left) / 65)), stroke: "var(--line)", strokeOpacity: 1 }),
      ...marksOf(at),
      Plot.axisX({ anchor: "bottom", tickSize: 0, tickPadding: 8, ticks: Math.max(3, Math.round((at.right - at.left) / 65)), tickFormat: x.tickFormat }),
    ],
  });
  svg.setAttribute("aria-hidden", "true");
  find("svg", stage)?.remove();
  stage.append(svg);
}

function drawIntervals(stage, block) {
  const marksOf = ({ top, bottom, ys }) => {
    const rows = block.rows.map((row, i) => ({ ...row, y: ys[i] }));
    const whole = rows.filter((row) => row.low !== null && row.high !== null);
    const pointed = rows.filter((row) => row.value !== null);
    const color = (row) => TONES[row.tone].color;
    const ends = whole.flatMap((row) => [{ row, x: row.low }, { row, x: row.high }]);
    const of = (tone) => pointed.filter((row) => row.tone === tone);
    const open = { fill: "var(--ground)", stroke: color, strokeWidth: 1.75 };
    return [
      block.band && Plot.rect([block.band], { x1: "0", x2: "1", y1: top, y2: bottom, fill: "var(--accent)", fillOpacity: 0.1 }),
      block.reference !== null && Plot.ruleX([block.reference], { y1: top, y2: bottom, stroke: "var(--ink)", strokeDasharray: "3 3" }),
      Plot.ruleY(whole, { y: "y", x1: "low", x2: "high", stroke: color, strokeWidth: 2 }),
      Plot.ruleX(ends, { x: "x", y1: (end) => end.row.y - 4, y2: (end) => end.row.y + 4, stroke: (end) => color(end.row), strokeWidth: 1.5 }),
      Plot.dot(of("flat"), { x: "value", y: "y", r: 4.5, fill: color }),
      Plot.dot(of("unknown"), { x: "value", y: "y", r: 4, ...open }),
      Plot.dot(of("good"), { x: "value", y: "y", r: 5, symbol: "triangle", fill: color }),
      Plot.dot(of("bad"), { x: "value", y: "y", r: 5, symbol: DOWN, fill: color }),
    ];
  };
  const difference = block.unit === "delta" || block.unit === "correlation";
  overlay(stage, marksOf, { domain: domainOf(block), tickFormat: difference ? signed : undefined });
}

function drawBars(stage, block) {
  const marksOf = ({ ys }) => [
    Plot.rect(block.rows.map((row, i) => ({ ...row, y: ys[i] })).filter((row) => row.value !== null), {
      x1: 0, x2: "value", y1: (row) => row.y - 6, y2: (row) => row.y + 6, fill: "var(--accent)", fillOpacity: 0.8, rx: 2,
    }),
    Plot.ruleX([0], { y1: ys[0] - 14, y2: ys.at(-1) + 14, stroke: "var(--soft)" }),
  ];
  const values = known(block.rows.map((row) => row.value));
  overlay(stage, marksOf, { domain: [Math.min(0, ...values), Math.max(...values, 0) || 1], nice: false });
}

function drawSteps(stage, block) {
  let left = 0;
  const rows = block.rows.map((row) => {
    if (row.kind === "given") left = row.value;
    if (row.kind !== "dropped") return { ...row, from: 0, to: row.value };
    left -= row.value;
    return { ...row, from: left, to: left + row.value };
  });
  const marksOf = ({ ys }) => {
    const placed = rows.map((row, i) => ({ ...row, y: ys[i] }));
    const bar = { x1: "from", x2: "to", y1: (row) => row.y - 6, y2: (row) => row.y + 6, rx: 2 };
    return [
      Plot.rect(placed.filter((row) => row.kind !== "dropped"), { ...bar, fill: "var(--accent)", fillOpacity: 0.8 }),
      Plot.rect(placed.filter((row) => row.kind === "dropped" && row.value), { ...bar, fill: "var(--bad)", fillOpacity: 0.15, stroke: "var(--bad)" }),
    ];
  };
  overlay(stage, marksOf, { domain: [0, Math.max(...rows.map((row) => row.to), 1)] });
}

const DRAWN = { intervals: drawIntervals, bars: drawBars, steps: drawSteps, histogram: drawHistogram, scatter: drawScatter };

function draw(figure) {
  const block = data.blocks[figure.dataset.block];
  const stage = find(".stage", figure);
  if (!stage || !DRAWN[block.kind] || !stage.clientWidth || (block.rows && !block.rows.length)) return;
  DRAWN[block.kind](stage, block);
}

// Charts are drawn as they come near the screen, again when their width changes, and all of them for paper.
function drawAll() {
  const figures = findAll(".plotted, .charted").filter((figure) => figure.dataset.block);
  const widths = new WeakMap();
  const sized = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      if (widths.get(target) !== contentRect.width) draw(target);
      widths.set(target, contentRect.width);
    }
  });
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries.filter((each) => each.isIntersecting)) {
      near.unobserve(entry.target);
      sized.observe(entry.target);
    }
  }, { rootMargin: "800px" });
  for (const figure of figures) near.observe(figure);
  for (const swap of findAll(".swap")) swap.addEventListener("click", () => fold(swap, swap.getAttribute("aria-expanded") === "true"));
  for (const swap of findAll(".swap")) fold(swap, true);
  const printing = (on) => {
    document.documentElement.classList.toggle("printing", on);
    figures.forEach(draw);
  };
  addEventListener("beforeprint", () => printing(true));
  addEventListener("afterprint", () => printing(false));
}

// A folded table stays for screen readers, out of the way of the tab key.
function fold(swap, folded) {
  const table = document.getElementById(swap.getAttribute("aria-controls"));
  table.classList.toggle("folded", folded);
  swap.setAttribute("aria-expanded", String(!folded));
  swap.textContent = folded ? "Table" : "Hide table";
  for (const button of findAll("button", table)) button.tabIndex = folded ? -1 : 0;
}

// Charts that stand on their own, over a table of the same numbers: histograms and scatter plots.

const POINT = 26, APART = 8; // pixels: a bin that is a single value, and the gap between it and its neighbour
const MOST_EDGES = 8; // bins whose edges are the ticks
const OVER = 1.12; // of the tallest bar: so high is the shading, so that it is seen over full bars

// Bins with the pixels they are drawn on. One that is a single value stands beside the axis, at its own tick.
function placed(block, width) {
  const low = Math.min(...block.bins.map((bin) => bin.low)), high = Math.max(...block.bins.map((bin) => bin.high));
  const single = (bin) => bin.low === bin.high;
  const first = block.bins.some((bin) => single(bin) && bin.low === low), last = block.bins.some((bin) => single(bin) && bin.low === high);
  const unit = (high - low || 1) / Math.max(1, width - (first + last) * (POINT + APART));
  const bins = block.bins.map((bin) => {
    if (!single(bin)) return { ...bin, from: bin.low, to: bin.high };
    const middle = bin.low + unit * (POINT / 2 + APART) * (high === low ? 0 : bin.low === low ? -1 : bin.low === high ? 1 : 0);
    return { ...bin, from: middle - (unit * POINT) / 2, to: middle + (unit * POINT) / 2, middle };
  });
  return { bins, domain: [Math.min(low, ...bins.map((bin) => bin.from)), Math.max(high, ...bins.map((bin) => bin.to))] };
}

// Few bins have ticks at their edges, each single value one below its bar; for more of them the axis finds its own.
function ticksOf(bins) {
  if (bins.length > MOST_EDGES) return {};
  const points = new Map(bins.filter((bin) => bin.middle !== undefined).map((bin) => [bin.middle, bin.low]));
  const taken = new Set(points.values());
  const edges = new Set(bins.filter((bin) => bin.middle === undefined).flatMap((bin) => [bin.low, bin.high]));
  const shown = (value) => (+(points.get(value) ?? value).toFixed(3)).toLocaleString("en");
  return { ticks: [...[...edges].filter((edge) => !taken.has(edge)), ...points.keys()], tickFormat: shown };
}

function drawHistogram(stage, block) {
  const marginLeft = 44, marginRight = 12;
  const { bins, domain } = placed(block, stage.clientWidth - marginLeft - marginRight);
  const most = Math.max(1, ...bins.map((bin) => bin.count)), top = block.band ? most * OVER : most;
  const steps = Math.min(5, most);
  const svg = plotted({
    width: stage.clientWidth,
    height: 250,
    marginTop: 24,
    marginLeft,
    marginRight,
    marginBottom: 42,
    x: { label: axisText(block.x), labelAnchor: "center", labelArrow: "none", tickSize: 0, domain, ...ticksOf(bins) },
    y: { label: null, domain: [0, top], tickSize: 0, ticks: steps, tickFormat: (n) => n.toLocaleString("en") },
    marks: [
      block.band && Plot.rect([block.band], { x1: "0", x2: "1", y1: 0, y2: top, fill: "var(--accent)", fillOpacity: 0.1 }),
      Plot.gridY({ stroke: "var(--line)", strokeOpacity: 1, ticks: steps }),
      Plot.rect(bins, { x1: "from", x2: "to", y1: 0, y2: "count", insetLeft: 1, insetRight: 1, fill: "var(--accent)", className: "marks" }),
      Plot.text(bins.filter((bin) => bin.count), { x: (bin) => (bin.from + bin.to) / 2, y: "count", text: (bin) => bin.count.toLocaleString("en"), dy: -8, fill: "var(--soft)" }),
      Plot.ruleY([0], { stroke: "var(--soft)" }),
    ],
  });
  openable(svg, bins, (bin) => `${plainText(bin.label)}: ${counted(bin.count, "row").replace(/ rows?$/, ` ${plainText(block.y ?? "")}`)}`);
  place(stage, svg, block);
}

// Points at one place are one dot, larger for more of them.
function together(points) {
  const places = new Map();
  for (const point of points) {
    const where = `${point.x},${point.y}`;
    if (!places.has(where)) places.set(where, { x: point.x, y: point.y, points: [] });
    places.get(where).points.push(point);
  }
  return [...places.values()];
}

const NAMED = 4; // points of a dot whose names a tip gives

function drawScatter(stage, block) {
  const dots = together(block.points).map((dot) => ({ ...dot, filter: joined(dot, block) }));
  const ends = known(block.points.flatMap((point) => [point.x, point.y]));
  const span = (values) => [Math.min(0, ...values), Math.max(1, ...values)];
  const width = Math.min(stage.clientWidth, block.diagonal ? 460 : 720);
  const named = (dot) => {
    const names = dot.points.slice(0, NAMED).map((point) => plainText(point.label).slice(0, 40));
    const more = dot.points.length > NAMED ? [`and ${dot.points.length - NAMED} more`] : [];
    return [...names, ...more, `${axisText(block.x)} ${+dot.x.toFixed(3)}`, `${axisText(block.y)} ${+dot.y.toFixed(3)}`].join("\n");
  };
  const svg = plotted({
    width,
    height: block.diagonal ? width * 0.92 : 340,
    marginLeft: 52,
    marginBottom: 44,
    marginTop: 30,
    marginRight: 20,
    inset: block.diagonal ? 16 : 8,
    x: { label: axisText(block.x), labelAnchor: "center", labelArrow: "none", tickSize: 0, tickPadding: 8, ticks: 5, domain: block.diagonal ? span(ends) : undefined, nice: true },
    y: { label: axisText(block.y), labelArrow: "none", tickSize: 0, tickPadding: 8, ticks: 5, domain: block.diagonal ? span(ends) : undefined, nice: true },
    r: { type: "identity" },
    marks: [
      Plot.gridX({ stroke: "var(--line)", strokeOpacity: 1, ticks: 5 }),
      Plot.gridY({ stroke: "var(--line)", strokeOpacity: 1, ticks: 5 }),
      block.diagonal && Plot.link([span(ends)], { x1: "0", y1: "0", x2: "1", y2: "1", stroke: "var(--soft)", strokeDasharray: "3 3" }),
      Plot.dot(dots, { x: "x", y: "y", r: (dot) => Math.min(15, 4.5 + 2.6 * Math.sqrt(dot.points.length - 1)), fill: "var(--accent)", fillOpacity: 0.3, stroke: "var(--accent)", className: "marks" }),
      Plot.text(dots.filter((dot) => dot.points.length > 1), { x: "x", y: "y", text: (dot) => String(dot.points.length), fill: "var(--ink)", fontSize: 11 }),
      Plot.tip(dots, Plot.pointer({ x: "x", y: "y", title: named, fill: "var(--raised)", stroke: "var(--line)" })),
    ],
  });
  openable(svg, dots, (dot) => named(dot).replaceAll("\n", ", "));
  place(stage, svg, block);
}

// One filter for all points of a dot.
function joined(dot, block) {
  const ids = dot.points.map((point) => point.filter).filter((id) => filters[id]);
  if (ids.length < 2) return ids[0] ?? null;
  const id = `at ${plainText(block.title)} ${dot.x} ${dot.y}`;
  filters[id] = {
    label: `${counted(dot.points.length, "point")} at ${+dot.x.toFixed(3)}, ${+dot.y.toFixed(3)}`,
    rollouts: [...new Set(ids.flatMap((each) => filters[each].rollouts))],
    total: ids.reduce((sum, each) => sum + filters[each].total, 0),
  };
  return id;
}

// Marks that open their rollouts, by mouse and by keyboard.
function openable(svg, items, label) {
  for (const mark of findAll("g.marks > *", svg)) {
    const item = items[mark.__data__];
    if (!item || !filters[item.filter]) continue;
    for (const [name, value] of Object.entries({ "data-filter": item.filter, role: "button", tabindex: "0", "aria-label": label(item) })) {
      mark.setAttribute(name, value);
    }
  }
}

function place(stage, svg, block) {
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", `${plainText(block.title)}. The table below it has the same numbers.`);
  for (const group of findAll("g[aria-label]", svg)) group.removeAttribute("aria-label");
  stage.replaceChildren(svg);
}

// Tables: sorted, searched and paged over all their rows; until the first of these the HTML stands as it came.

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const SORTED_FROM = 5; // rows: fewer are seen at a glance
const tables = [];

class GridTable {
  constructor(figure, block) {
    this.figure = figure;
    this.grid = block.grid;
    this.order = block.grid.rows.map((_, i) => i);
    this.sorted = null;
    this.query = "";
    this.page = 0;
    this.size = data.screenRows;
    this.decorate = null;
    this.body = find("tbody", figure);
    this.texts = null;
    this.heads();
    const search = find("input", figure);
    search?.addEventListener("input", () => this.search(search.value));
    this.pager();
  }

  heads() {
    if (this.grid.rows.length < SORTED_FROM) return;
    findAll("thead th", this.figure).forEach((head, column) => {
      const label = this.grid.columns[column].label;
      if (!label || label === "#") return;
      const button = element("button", { type: "button" }, plainText(label));
      button.addEventListener("click", () => this.sort(column));
      head.replaceChildren(button);
    });
  }

  sort(column) {
    const numeric = this.grid.columns[column].type !== "text";
    const before = this.sorted;
    const down = before?.column === column ? !before.down : numeric;
    this.sorted = { column, down };
    findAll("thead th", this.figure).forEach((head, i) => {
      if (i === column) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    this.arrange();
  }

  search(query) {
    this.query = query.trim().toLowerCase();
    this.arrange();
  }

  arrange() {
    this.texts ??= this.grid.rows.map((row) => row.cells.map((cell) => cell.text ?? "").join("\n").toLowerCase());
    this.order = this.grid.rows.map((_, i) => i).filter((i) => !this.query || this.texts[i].includes(this.query));
    if (this.sorted) {
      const { column, down } = this.sorted;
      const value = (i) => this.grid.rows[i].cells[column].sort ?? null;
      const text = (i) => this.grid.rows[i].cells[column].text ?? "";
      const compare = this.grid.columns[column].type === "text"
        ? (a, b) => collator.compare(text(a), text(b)) * (down ? -1 : 1)
        : (a, b) => (value(a) === null) - (value(b) === null) || (value(a) - value(b)) * (down ? -1 : 1);
      this.order.sort((a, b) => compare(a, b) || a - b);
    }
    this.page = 0;
    this.show();
  }

  show() {
    const from = this.page * this.size;
    this.body.replaceChildren(...this.order.slice(from, from + this.size).map((i) => this.row(i)));
    if (!this.order.length) this.body.append(element("tr", {}, element("td", { colspan: this.grid.columns.length, class: "nothing" }, "No row has this text.")));
    this.pager();
  }

  row(i) {
    const row = this.grid.rows[i];
    const first = this.grid.columns[0].type === "number" ? 1 : 0;
    const made = element("tr", { role: "row" }, ...row.cells.map((cell, column) => {
      const text = plainText(cell.text);
      if (column === first) {
        const opens = filters[row.filter];
        const shown = opens ? element("button", { type: "button", class: "to", "data-filter": row.filter, "data-rollout": row.rollout }, text) : text;
        return element("th", { scope: "row", role: "rowheader" }, shown);
      }
      const ends = cell.ends ? element("span", { class: "ends" }, cell.ends) : null;
      return element("td", { role: "cell", class: this.grid.columns[column].type }, ends ? `${text} ` : text, ends);
    }));
    this.decorate?.(made, i);
    return made;
  }

  pager() {
    const all = this.order.length;
    const pager = find(".pager", this.figure);
    const searched = all < this.grid.rows.length ? ` of ${this.grid.rows.length.toLocaleString("en")}` : "";
    if (all <= this.size) {
      pager.replaceChildren(...(searched ? [`${counted(all, "row")}${searched}`] : []));
      return;
    }
    const from = this.page * this.size;
    const turn = (label, by) => {
      const button = element("button", { type: "button", class: "quiet", disabled: from + by * this.size < 0 || from + by * this.size >= all }, label);
      button.addEventListener("click", () => {
        this.page += by;
        this.show();
        findAll("button", pager)[by < 0 ? 0 : 1].focus();
      });
      return button;
    };
    const place = element("span", { role: "status" }, `${(from + 1).toLocaleString("en")}–${Math.min(all, from + this.size).toLocaleString("en")} of ${counted(all, "row")}`);
    pager.replaceChildren(turn("← Previous", -1), place, turn("Next →", 1));
  }

  resize(size) {
    this.size = size;
    this.page = 0;
    if (this.order.length > data.screenRows) this.show();
  }
}

function makeTables() {
  for (const figure of findAll(".tabled")) {
    const block = data.blocks[figure.dataset.block];
    if (block.grid.rows.length) tables.push(new GridTable(figure, block));
  }
  addEventListener("beforeprint", () => tables.forEach((table) => table.resize(data.staticRows)));
  addEventListener("afterprint", () => tables.forEach((table) => table.resize(data.screenRows)));
}

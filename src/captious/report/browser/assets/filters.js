// Above the list: search, what it is sorted by, conditions, and how many samples are left.

class Filters {
  constructor(contents, selection) {
    Object.assign(this, { contents, selection });
    this.search = element("input", {
      type: "search", class: "search", placeholder: "Search captions, references, ids", "aria-label": "Search", "aria-keyshortcuts": "/",
      spellcheck: "false", autocomplete: "off", on: { input: () => this.searchAfterPause() },
    });
    this.picker = new Picker(contents, "Sort by", selection.sort.quantity, (quantity) => this.sortBy({ ...selection.sort, quantity }),
      [{ value: FILE_ORDER, label: "order of the file" }, ...textAttributeKinds(contents)]);
    this.direction = button("", () => this.sortBy({ ...selection.sort, descending: !selection.sort.descending }), { class: "direction" });
    this.form = new ConditionForm(contents, (condition) => selection.change({ conditions: [...selection.conditions, condition] }));
    this.conditions = element("div", { class: "conditions" });
    this.count = element("span", { class: "count", role: "status" });
    this.presets = this.presetButtons();
    this.node = element("div", { class: "filters" },
      element("div", { class: "controls" }, this.search, this.count),
      element("div", { class: "controls" }, element("span", { class: "presets", role: "group", "aria-label": "Presets" }, this.presets)),
      element("div", { class: "controls" }, element("span", { class: "faint" }, "sort by"), this.picker.node, this.direction),
      this.form.node, this.conditions);
    selection.listen(() => this.draw());
    this.draw();
  }

  /** Search when typing pauses for a moment, so that typing is never in the way of itself. */
  searchAfterPause() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.selection.change({ query: this.search.value }), 60);
  }

  sortBy(sort) {
    this.selection.change({ sort });
  }

  presetButtons() {
    const { contents } = this;
    const kinds = new Set(kindsOfQuantities(contents).map(({ value }) => value));
    const whole = contents.series.length > 1 ? "mean" : "score";
    const presets = [
      ["best", whole, true, "best scores first"],
      ["worst", whole, false, "worst scores first"],
      ["most disagreement", "spread", true, "where scores differ most"],
      ["overrated", "residual", true, "where a measure likes more than people do"],
      ["underrated", "residual", false, "where people like more than a measure does"],
      ["measures disagree", "discord", true, "where one measure is far from people and another is near"],
    ];
    return presets.filter(([, kind]) => kinds.has(kind)).map(([label, kind, high, title]) =>
      button(label, () => {
        const quantity = quantityOf(contents, kind, this.selection.sort.quantity);
        this.sortBy({ quantity, descending: high !== this.isLowerBetter(quantity) });
      }, { title, "data-kind": kind, "data-high": String(high) }));
  }

  /** Whether low numbers of a quantity are the good ones. */
  isLowerBetter({ kind, measure }) {
    return ["mean", "score"].includes(kind) && this.contents.lowerIsBetter(measure);
  }

  draw() {
    const { contents, selection } = this;
    const { quantity, descending } = selection.sort;
    this.picker.set(quantity);
    this.direction.textContent = descending ? "\u2193 high first" : "\u2191 low first";
    this.direction.hidden = quantity.kind === FILE_ORDER;
    const high = String(descending !== this.isLowerBetter(quantity));
    for (const preset of this.presets) {
      preset.setAttribute("aria-pressed", preset.dataset.kind === quantity.kind && preset.dataset.high === high);
    }
    const count = selection.rows.length;
    this.count.textContent = count === contents.count ? pluralize(count, "sample") : `${countText(count)} of ${pluralize(contents.count, "sample")}`;
    if (this.search.value !== selection.query && document.activeElement !== this.search) this.search.value = selection.query;
    this.conditions.replaceChildren(
      ...selection.conditions.map((condition) => element("span", { class: "condition" }, escapeHidden(conditionText(contents, condition)),
        button("\u2715", () => this.remove(condition),
          { "aria-label": `Remove: ${conditionText(contents, condition)}` }))),
      ...(selection.isFiltered ? [button("clear all", () => this.clear(), { class: "link" })] : []));
  }

  remove(condition) {
    this.selection.change({ conditions: this.selection.conditions.filter((other) => other !== condition) });
    this.form.node.querySelector("summary").focus();
  }

  clear() {
    this.search.value = "";
    this.selection.clear();
    this.search.focus();
  }
}

/** A condition in words. */
function conditionText(contents, { quantity, low, high, attribute, value, says, where, lacks }) {
  if (attribute !== undefined) return `${attribute} is ${value}`;
  if (says !== undefined) return `${placeText(contents, where)} ${lacks ? "without" : "with"} “${says}”`;
  const name = describeQuantity(contents, quantity);
  if (low === -Infinity) return `${name} \u2264 ${plainText(high)}`;
  if (high === Infinity) return `${name} \u2265 ${plainText(low)}`;
  return `${name} ${plainText(low)} to ${plainText(high)}`;
}

/** Where words are looked for: the captions of a series, or the references. */
function placeText(contents, where) {
  return where === "references" ? "references" : contents.series.length > 1 ? `caption of ${contents.series[where].name}` : "caption";
}

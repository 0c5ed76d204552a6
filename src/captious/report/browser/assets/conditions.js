// The form that adds a condition: a quantity between bounds, words that a text has or lacks, a value of an attribute.

class ConditionForm {
  constructor(contents, add) {
    Object.assign(this, { contents, add });
    this.body = element("form", { class: "controls", on: { submit: (event) => this.submit(event) } });
    const kinds = this.kinds();
    this.kind = kinds[0]?.value;
    this.node = element("details", { class: "filter-form", hidden: !kinds.length }, element("summary", {}, "Filter"), this.body);
    if (kinds.length) this.draw();
  }

  /** A quantity, words, or an attribute that is a text. */
  kinds() {
    const { contents } = this;
    return [
      kindsOfQuantities(contents).length > 0 && { value: "quantity", label: "number" },
      (contents.hasCaptions || contents.referencesOf) && { value: "says", label: "words" },
      ...contents.attributes.filter(({ words }) => words).map(({ name }) => ({ value: `is:${name}`, label: name })),
    ].filter(Boolean);
  }

  draw() {
    const kind = choice("Filter by", this.kinds(), this.kind, (value) => {
      this.kind = value;
      this.draw();
      this.body.querySelector("select").focus();
    });
    this.problem = element("span", { class: "problem", role: "alert" });
    const fields = this.kind === "quantity" ? this.bounds() : this.kind === "says" ? this.words() : this.values();
    this.body.replaceChildren(kind, ...fields, element("button", { type: "submit" }, "Add"), this.problem);
  }

  bounds() {
    const { contents } = this;
    const bound = (label) => element("input", { type: "text", inputmode: "decimal", size: "7", "aria-label": label });
    [this.low, this.high] = [bound("From"), bound("To")];
    const hint = (quantity) => {
      const [low, high] = extent(valuesOf(contents, quantity));
      this.low.placeholder = plainText(low);
      this.high.placeholder = plainText(high);
    };
    this.picker ??= new Picker(contents, "Filter", quantityOf(contents, kindsOfQuantities(contents)[0].value), hint);
    hint(this.picker.quantity);
    return [this.picker.node, element("span", { class: "faint" }, "from"), this.low, element("span", { class: "faint" }, "to"), this.high];
  }

  words() {
    const { contents } = this;
    const places = [
      ...contents.series.filter(({ captions }) => captions).map(({ index }) => ({ value: String(index), label: placeText(contents, index) })),
      ...(contents.referencesOf ? [{ value: "references", label: "references" }] : []),
    ];
    this.where = choice("Where", places, places[0].value, () => {});
    this.lacks = choice("With or without", [{ value: "", label: "with" }, { value: "1", label: "without" }], "", () => {});
    this.says = element("input", { type: "text", "aria-label": "Words", size: "14" });
    return [this.where, this.lacks, this.says];
  }

  values() {
    const { contents } = this;
    const { words } = contents.attribute(this.kind.slice(3));
    const counts = new Map();
    for (const place of words) counts.set(place, (counts.get(place) ?? 0) + 1);
    const options = [...counts].map(([place, count]) => ({ text: contents.words.at(place), count }))
      .sort((one, other) => one.text.localeCompare(other.text, "en", { numeric: true }))
      .map(({ text, count }) => ({ value: text, label: `${text} (${countText(count)})` }));
    this.value = choice("Value", options, options[0]?.value, () => {});
    return [element("span", { class: "faint" }, "is"), this.value];
  }

  submit(event) {
    event.preventDefault();
    const condition = this.condition();
    this.problem.textContent = condition ? "" : this.kind === "says" ? "Type a word." : "Type numbers, the lower one first.";
    if (condition) this.add(condition);
  }

  /** The condition that was filled in, or null where it is incomplete. */
  condition() {
    if (this.kind === "says") {
      const says = this.says.value.trim().toLowerCase();
      const where = this.where.value === "references" ? "references" : Number(this.where.value);
      return says ? { says, where, lacks: Boolean(this.lacks.value) } : null;
    }
    if (this.kind !== "quantity") return { attribute: this.kind.slice(3), value: this.value.value };
    const [low, high] = [parseNumber(this.low.value, -Infinity), parseNumber(this.high.value, Infinity)];
    const empty = !this.low.value.trim() && !this.high.value.trim();
    return low <= high && !empty ? { quantity: this.picker.quantity, low, high } : null;
  }
}

/** A number as people type it: with a minus of either kind, a point or a comma. */
function parseNumber(text, emptyValue) {
  const typed = text.trim().replace(MINUS, "-").replace(",", ".");
  return typed ? Number(typed) : emptyValue;
}

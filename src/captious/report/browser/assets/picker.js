// Choosing a quantity: its kind, and then its measure and series.

class Picker {
  constructor(contents, label, quantity, listener, extraKinds = []) {
    Object.assign(this, { contents, label, quantity, listener, extraKinds });
    this.node = element("span", { class: "picker", role: "group", "aria-label": label });
    this.draw();
  }

  set(quantity) {
    this.quantity = quantity;
    this.draw();
  }

  change(quantity, part) {
    this.quantity = quantity;
    this.listener(quantity);
    this.draw();
    this.node.querySelector(`[data-part="${part}"]`)?.focus();
  }

  draw() {
    const { contents, quantity } = this;
    const kinds = [...this.extraKinds, ...kindsOfQuantities(contents)];
    const kind = choice(`${this.label}: what`, kinds, quantity.kind, (value) => this.change(quantityOf(contents, value, quantity), "kind"));
    kind.dataset.part = "kind";
    this.node.replaceChildren(kind, ...partsOf(quantity.kind).flatMap((part) => this.part(part)));
  }

  part(part) {
    const { contents, quantity } = this;
    const isMeasure = part === "measure" || part === "otherMeasure";
    if (!isMeasure && contents.series.length < 2) return [];
    const options = isMeasure
      ? contents.measures.map(({ name, label }) => ({ value: name, label }))
      : contents.series.map(({ index, name }) => ({ value: String(index), label: name }));
    const word = { series: "of", other: MINUS, otherMeasure: "than" }[part];
    const select = choice(`${this.label}: ${part === "otherMeasure" ? "other measure" : part === "other" ? "other series" : part}`,
      options, String(quantity[part]), (value) => this.change({ ...quantity, [part]: isMeasure ? value : Number(value) }, part));
    select.dataset.part = part;
    return word ? [element("span", { class: "faint", "aria-hidden": "true" }, word), select] : [select];
  }
}

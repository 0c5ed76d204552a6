// Which rows are shown, in which order: the words searched for, the conditions, what they are sorted by.

class Selection {
  constructor(contents) {
    this.contents = contents;
    this.search = new Search(contents);
    this.listeners = [];
    this.query = "";
    this.terms = [];
    this.conditions = [];
    this.sort = { quantity: { kind: WHOLE }, descending: false };
    this.update();
  }

  /** Whoever shows rows hears of changes. */
  listen(listener) {
    this.listeners.push(listener);
  }

  change(changes) {
    Object.assign(this, changes);
    if (changes.query !== undefined) this.terms = termsOf(changes.query);
    this.update();
    for (const listener of this.listeners) listener();
  }

  clear() {
    this.change({ query: "", conditions: [] });
  }

  get narrowed() {
    return this.terms.length > 0 || this.conditions.length > 0;
  }

  update() {
    const wanted = this.search.rows(this.terms);
    for (const condition of this.conditions) {
      const holds = this.holding(condition);
      for (let row = 0; row < wanted.length; row++) if (wanted[row] && !holds(row)) wanted[row] = 0;
    }
    this.wanted = wanted;
    this.rows = this.sorted(wanted);
    this.positions = new Map();
    this.rows.forEach((row, position) => this.positions.set(row, position));
  }

  /** Whether a condition holds: a quantity between bounds, words in a text, an attribute of a value. */
  holding({ quantity, low, high, attribute, value, says, where, lacks }) {
    if (says !== undefined) {
      const has = this.search.texts(says);
      const { series, referencesOf } = this.contents;
      const texts = where === "references" ? (row) => referencesOf.at(row) : (row) => [series[where].captions[row]];
      return (row) => texts(row).some((place) => has[place]) !== lacks;
    }
    if (attribute !== undefined) {
      const { words } = this.contents.attribute(attribute);
      return (row) => this.contents.words.at(words[row]) === value;
    }
    const values = valuesOf(this.contents, quantity);
    // A bound that was typed is meant as it is shown, not to the last bit of a score.
    return (row) => values[row] >= low - 5e-7 && values[row] <= high + 5e-7;
  }

  /** The wanted rows in order; those without a value are last, equal ones as in the file. */
  sorted(wanted) {
    const values = valuesOf(this.contents, this.sort.quantity);
    const known = [];
    const unknown = [];
    for (let row = 0; row < wanted.length; row++) {
      if (wanted[row]) (values[row] === values[row] ? known : unknown).push(row);
    }
    const sign = this.sort.descending ? -1 : 1;
    known.sort((one, other) => sign * (values[one] - values[other]) || one - other);
    return Uint32Array.from(known.concat(unknown));
  }
}

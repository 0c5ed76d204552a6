// Which rows are shown, in which order: the words searched for, the conditions, what they are sorted by.

class Selection {
  constructor(contents) {
    this.contents = contents;
    this.search = new Search(contents);
    this.listeners = [];
    this.query = "";
    this.terms = [];
    this.conditions = [];
    this.sort = { quantity: { kind: FILE_ORDER }, descending: false };
    this.update();
  }

  /** Call a listener after each change. */
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

  get isFiltered() {
    return this.terms.length > 0 || this.conditions.length > 0;
  }

  update() {
    const matching = this.search.rows(this.terms);
    for (const condition of this.conditions) {
      const isMet = this.conditionTest(condition);
      for (let row = 0; row < matching.length; row++) if (matching[row] && !isMet(row)) matching[row] = 0;
    }
    this.matching = matching;
    this.rows = this.sorted(matching);
    this.positions = new Map();
    this.rows.forEach((row, position) => this.positions.set(row, position));
  }

  /** Whether a condition holds: a quantity between bounds, words in a text, an attribute of a value. */
  conditionTest({ quantity, low, high, attribute, value, says, where, lacks }) {
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

  /** The matching rows in order; those without a value are last, equal ones as in the file. */
  sorted(matching) {
    const values = valuesOf(this.contents, this.sort.quantity);
    const withValue = [];
    const withoutValue = [];
    for (let row = 0; row < matching.length; row++) {
      if (matching[row]) (values[row] === values[row] ? withValue : withoutValue).push(row);
    }
    const sign = this.sort.descending ? -1 : 1;
    withValue.sort((one, other) => sign * (values[one] - values[other]) || one - other);
    return Uint32Array.from(withValue.concat(withoutValue));
  }
}

// The page: its views, the sample that is open, and the address that follows both.

const NARROW_SCREEN = "(max-width: 899px)"; // where a sample covers the list

class Page {
  constructor(contents) {
    this.contents = contents;
    this.selection = new Selection(contents);
    const open = (row, how) => this.open(row, how);
    this.list = new SampleList(contents, this.selection, open);
    this.sample = new SampleView(contents, this.selection, { move: (by) => this.move(by), close: () => this.close() });
    this.filters = new Filters(contents, this.selection);
    this.scatter = contents.measures.length && contents.series.length ? new Scatter(contents, this.selection, open) : null;
    this.theme = new Theme(() => this.scatter?.draw());
    this.views = this.makeViews();
    this.node = element("div", { class: "page" }, this.head(), this.main());
    addEventListener("hashchange", () => this.route());
    this.beforePrinting();
  }

  makeViews() {
    const { contents } = this;
    const boards = [...boardsView(contents), distributionsView(contents)].filter(Boolean);
    const notes = [findingsView(contents), provenanceView(contents)].filter(Boolean);
    const found = mergeFindings(contents.findings).length;
    return [
      boards.length && ["overview", "Overview", boards],
      ["samples", "Samples", [element("div", { class: "samples-side" }, this.filters.node, this.list.head, this.list.node), this.sample.node]],
      this.scatter && ["scatter", "Scatter", [this.scatter.node]],
      contents.bucketings.length && ["kinds", "Kinds", [new Buckets(contents).node]],
      ["notes", "Notes", notes, found],
    ].filter(Boolean).map(([name, label, parts, count]) => ({
      name,
      link: element("a", { href: `#/${name}` }, label, count > 0 && element("span", { class: "badge" }, ` (${count})`)),
      node: element("section", { class: `view ${name}`, "aria-label": label, hidden: true }, parts),
    }));
  }

  head() {
    const { contents } = this;
    const facts = [pluralize(contents.count, "sample"), contents.series.length > 1 && pluralize(contents.series.length, contents.seriesName, `${contents.seriesName.replace(/s$/, "")}s`),
      pluralize(contents.measures.length, "measure")].filter(Boolean);
    return element("header", { class: "page-head" },
      element("h1", {}, element("bdi", {}, escapeHidden(contents.title))),
      element("p", { class: "facts faint" }, facts.join(" · ")),
      element("nav", { "aria-label": "Views" }, this.views.map(({ link }) => link)),
      element("span", { class: "grow" }),
      this.theme.node,
      button("?", () => this.help().showModal(), { "aria-label": "Keyboard", title: "Keyboard (?)" }));
  }

  main() {
    this.notFound = element("p", { class: "notice", role: "alert", hidden: true });
    return element("main", { id: "main" }, this.notFound, this.views.map(({ node }) => node));
  }

  help() {
    this.dialog ??= document.body.appendChild(keyboardHelp());
    return this.dialog;
  }

  /** Show a view. */
  show(name) {
    const view = this.views.find((other) => other.name === name) ?? this.views[0];
    for (const other of this.views) {
      other.node.hidden = other !== view;
      if (other === view) other.link.setAttribute("aria-current", "page");
      else other.link.removeAttribute("aria-current");
    }
    this.shown = view.name;
    document.body.dataset.view = view.name;
    if (view.name === "samples") this.list.draw();
    if (view.name === "scatter") this.scatter.draw();
  }

  /** Show what the address names: a view, or a sample. */
  route() {
    const link = location.hash.slice(1);
    const row = link && !link.startsWith("/") ? this.contents.linked(link) : undefined;
    this.notFound.hidden = row !== undefined || !link || link.startsWith("/");
    if (row !== undefined) {
      if (row !== this.sample.row || this.shown !== "samples") this.showSample(row, true);
    } else {
      this.notFound.replaceChildren("There is no sample of the id ", element("bdi", {}, escapeHidden(decodeLink(link))));
      this.showSample(undefined);
      this.show(link.slice(1));
    }
  }

  showSample(row, focus) {
    this.sample.show(row);
    document.body.classList.toggle("sample-open", row !== undefined);
    if (row !== undefined) this.show("samples");
    this.list.show(row);
    if (focus) this.sample.node.focus({ preventScroll: true });
  }

  /** Open a sample; one that is moved to takes the place of the last in the browser's history. */
  open(row, { moving = false } = {}) {
    const inList = document.activeElement === this.list.node;
    this.address(`#${this.contents.link(row)}`, moving);
    this.showSample(row, !(moving && inList) || matchMedia(NARROW_SCREEN).matches);
  }

  close() {
    if (this.sample.row === undefined) return;
    this.address("#/samples", false);
    this.showSample(undefined);
    this.list.node.focus({ preventScroll: true });
  }

  address(hash, replaced) {
    if (location.hash === hash) return;
    if (replaced) history.replaceState(null, "", hash);
    else history.pushState(null, "", hash);
  }

  /** Go to the sample before or after this one. */
  move(by) {
    const position = this.selection.positions.get(this.sample.row);
    const next = position === undefined ? 0 : position + by;
    if (next >= 0 && next < this.selection.rows.length) this.open(this.selection.rows[next], { moving: true });
  }

  /** On paper all views are in view. */
  beforePrinting() {
    const printing = (now) => {
      if (now === document.body.classList.contains("printing")) return;
      document.body.classList.toggle("printing", now);
      if (now) {
        drawAllPending();
        this.scrolled = this.list.node.scrollTop;
      }
      this.list.node.scrollTop = now ? 0 : this.scrolled; // the first samples are printed
      this.list.draw();
      this.scatter?.draw();
    };
    matchMedia("print").addEventListener("change", ({ matches }) => printing(matches));
    addEventListener("beforeprint", () => printing(true));
    addEventListener("afterprint", () => printing(false));
  }
}

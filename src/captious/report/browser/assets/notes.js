// The findings of `captious check`, how the numbers were made, and how to make them again.

const MAX_EXAMPLES = 8;

function findingsView(contents) {
  if (!contents.findings.length) return null;
  return element("section", { class: "findings" }, element("h2", {}, "Findings"),
    element("p", { class: "note" }, "What captious check says of these captions."),
    element("ul", {}, mergeFindings(contents.findings).map((finding) => findingView(contents, finding))));
}

/** Merge equal findings of several series into one, with all their names. */
function mergeFindings(findings) {
  const together = new Map();
  for (const { series, ...finding } of findings) {
    const key = JSON.stringify(finding);
    if (together.has(key)) together.get(key).names.push(series);
    else together.set(key, { ...finding, names: [series] });
  }
  return [...together.values()];
}

function findingView(contents, { names, severity, what, advice, examples }) {
  const links = examples.slice(0, MAX_EXAMPLES).map((id) => {
    const link = encodeURIComponent(id.toWellFormed?.() ?? id);
    return contents.linked(link) === undefined ? escapeHidden(id) : element("a", { href: `#${link}` }, element("bdi", {}, escapeHidden(id)));
  });
  return element("li", { class: "card finding" },
    element("div", {}, element("span", { class: `severity ${/^[a-z]+$/.test(severity) ? severity : ""}` }, escapeHidden(severity)), " ",
      element("strong", {}, escapeHidden(names.join(", ")))),
    element("p", {}, escapeHidden(what)), advice && element("p", { class: "faint" }, escapeHidden(advice)),
    links.length > 0 && element("p", { class: "examples" }, "for example ", links.map((link, at) => [at > 0 && ", ", link])));
}

function provenanceView(contents) {
  const { version, signatures, commands, notes } = contents.made;
  return element("section", { class: "made" }, element("h2", {}, "How the numbers were made"),
    element("p", {}, `Made with Captious ${version}.`),
    notes.map((note) => element("p", {}, escapeHidden(note))),
    signatures.length > 0 && [element("h3", {}, signatures.length > 1 ? "Signatures" : "Signature"), signatures.map(copyableText)],
    commands.length > 0 && [element("h3", {}, "To make them again"), copyableText(commands.join("\n"))]);
}

/** A text to copy. */
function copyableText(text) {
  const code = element("code", {}, text.split("\n").map((line, at) => [at > 0 && "\n", escapeHidden(line)]));
  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = "Copied";
      announce("Copied");
      setTimeout(() => (copy.textContent = "Copy"), 1500);
    } catch {
      getSelection().selectAllChildren(code); // a browser that forbids it: Ctrl+C does the rest
      announce("Selected: copy it with Ctrl+C");
    }
  }, { class: "copy" });
  return element("div", { class: "copied" }, element("pre", { tabindex: "0" }, code), copy);
}

// Keys that work everywhere on the page.

const KEYS = [
  ["\u2193 \u2191 or j k", "next and previous sample"],
  ["Enter", "open the sample"],
  ["Escape", "close the sample; leave the search"],
  ["/", "search"],
  ["Page Up, Page Down, Home, End", "move faster in the list"],
  ["1 to 5", "go to a view"],
  ["\u2190 \u2192 \u2191 \u2193 in the scatter plot", "go from point to point; Enter opens one"],
  ["?", "this help"],
];

function keyboardHelp() {
  const dialog = element("dialog", { class: "help", "aria-labelledby": "help-title" },
    element("h2", { id: "help-title" }, "Keyboard"),
    element("dl", {}, KEYS.map(([key, what]) => [element("dt", {}, key), element("dd", {}, what)])),
    button("Close", () => dialog.close()));
  return dialog;
}

function listenToKeys(page) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || page.dialog?.open) return;
    if (handleKey(page, event)) event.preventDefault();
  });
}

/** Handle a key; return whether it did something. */
function handleKey(page, { key, target }) {
  const typing = target.matches?.("input, select, textarea");
  if (key === "Escape") {
    if (target === page.filters.search) page.list.node.focus();
    else if (!typing) page.close();
    return true;
  }
  if (typing) {
    if (target !== page.filters.search || (key !== "ArrowDown" && key !== "Enter")) return false;
    page.list.node.focus();
    return true;
  }
  if (key === "/") {
    page.show("samples");
    page.filters.search.focus();
    page.filters.search.select();
  } else if (key === "?") {
    page.help().showModal();
  } else if (key === "j" || key === "k") {
    if (page.sample.row !== undefined) page.move(key === "j" ? 1 : -1);
    else if (page.shown === "samples") {
      page.list.node.focus();
      page.list.move(page.list.active + (key === "j" ? 1 : -1));
    } else return false;
  } else if (key >= "1" && key <= String(page.views.length)) {
    location.hash = `/${page.views[Number(key) - 1].name}`;
  } else return false;
  return true;
}

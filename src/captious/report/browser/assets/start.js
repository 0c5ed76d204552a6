// The page is unpacked and drawn.

async function start() {
  const data = document.getElementById("data");
  const contents = new Contents(await unpackData(data.textContent));
  data.remove(); // its letters are not needed twice
  document.body.append(element("div", { id: "announced", class: "spoken", role: "status", "aria-live": "polite" }));
  const page = new Page(contents);
  document.body.prepend(page.node);
  listenToKeys(page);
  page.route();
  document.getElementById("loading").remove();
  document.body.dataset.ready = "true";
  // Lower-case captions, which search needs, are computed while the browser is idle.
  (window.requestIdleCallback ?? setTimeout)(() => page.selection.search.lowerCaseTexts());
}

start().catch((problem) => {
  const loading = document.getElementById("loading");
  loading?.replaceChildren(`The report could not be shown: ${problem.message}. It needs a browser of 2024 or later.`);
  throw problem;
});

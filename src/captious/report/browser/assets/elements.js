// Elements are created here, never from markup: captions are always shown as text.

/** An element with attributes, listeners (`on`), and children that are elements or texts. */
function element(tag, attributes = {}, ...children) {
  return applyAttributes(document.createElement(tag), attributes, children);
}

/** An SVG element with attributes, listeners and children. */
function svgElement(tag, attributes = {}, ...children) {
  return applyAttributes(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function applyAttributes(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (value === true) {
      node.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, value);
    }
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** A button with a text. */
function button(text, listener, attributes = {}) {
  return element("button", { type: "button", ...attributes, on: { click: listener } }, text);
}

/** A choice among options, each `{value, label}`; the listener receives the value. */
function choice(label, options, chosen, listener) {
  const select = element("select", { "aria-label": label, on: { change: () => listener(select.value) } },
    options.map(({ value, label: text }) => element("option", { value, selected: value === chosen }, text)));
  return select;
}

/** Text for screen readers only. */
function screenReaderText(text) {
  return element("span", { class: "spoken" }, text);
}

/** Announce a text to screen readers. */
function announce(text) {
  document.getElementById("announced").textContent = text;
}

/** A colour of the page's styles, as a canvas understands it. */
function colour(name) {
  const probe = document.body.appendChild(element("span", { hidden: true }));
  probe.style.color = `var(${name})`;
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

const pendingDraws = new Map(); // draw functions by element, to be called when it is first visible
const visibilityObserver = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) drawNow(target);
}, { rootMargin: "200px" });

/** Draw something when it first comes into view. */
function drawWhenSeen(node, draw) {
  pendingDraws.set(node, draw);
  visibilityObserver.observe(node);
}

function drawNow(node) {
  pendingDraws.get(node)?.();
  pendingDraws.delete(node);
  visibilityObserver.unobserve(node);
}

/** Draw all elements that have not come into view yet. */
function drawAllPending() {
  for (const node of [...pendingDraws.keys()]) drawNow(node);
}

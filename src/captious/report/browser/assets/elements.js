// Elements are made here, and never of markup: whatever a caption says, it is shown as text.

/** An element with attributes, listeners (`on`), and children that are elements or texts. */
function element(tag, attributes = {}, ...children) {
  return furnished(document.createElement(tag), attributes, children);
}

/** The same for drawings. */
function drawn(tag, attributes = {}, ...children) {
  return furnished(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function furnished(node, attributes, children) {
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

/** A choice among options, each `{value, label}`; the listener hears the value. */
function choice(label, options, chosen, listener) {
  const select = element("select", { "aria-label": label, on: { change: () => listener(select.value) } },
    options.map(({ value, label: text }) => element("option", { value, selected: value === chosen }, text)));
  return select;
}

/** What screen readers hear and nobody sees. */
function spoken(text) {
  return element("span", { class: "spoken" }, text);
}

/** Say something to those who listen. */
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

const unseen = new Map(); // what is drawn when its element is first seen
const eyes = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) see(target);
}, { rootMargin: "200px" });

/** Draw something when it first comes into view. */
function whenSeen(node, draw) {
  unseen.set(node, draw);
  eyes.observe(node);
}

function see(node) {
  unseen.get(node)?.();
  unseen.delete(node);
  eyes.unobserve(node);
}

/** Draw all that has not come into view. */
function seeAll() {
  for (const node of [...unseen.keys()]) see(node);
}

// Making and changing elements. No inline style and no markup from strings: the page's policy allows neither.

const SVG = "http://www.w3.org/2000/svg";

function apply(node, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(node.dataset, value);
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
}

/** An HTML element: `h("p", {class: "note"}, "text", child)`. `null` children are left out. */
export function h(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  apply(node, properties);
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An SVG element, as `h`. */
export function s(tag, properties = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  apply(node, properties);
  node.append(...children);
  return node;
}

/** A click's handler that has its button busy, and deaf to more clicks, until `work` is done. */
export function busy(work) {
  return async ({ currentTarget: button }) => {
    if (button.hasAttribute("aria-busy")) return;
    setAttribute(button, "aria-busy", true);
    try {
      await work();
    } finally {
      setAttribute(button, "aria-busy", null);
    }
  };
}

/** Changes a text only when it differs: selections survive, and live regions speak once. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Hides or shows. What is hidden hands the focus to the screen's heading: else a key press would go nowhere. */
export function setHidden(node, hidden) {
  if (node.hidden === hidden) return;
  const heading = hidden && node.contains(document.activeElement) && node.closest("main")?.querySelector("h1");
  node.hidden = hidden;
  if (heading) heading.focus({ preventScroll: true });
}

/** Sets or removes an attribute, touching the document only on a change. */
export function setAttribute(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** Renders shapes as elements, with the fewest DOM changes. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Map<string|number, {shape: import("./svg.js").Shape, element: Element}>} Drawn by key */

/** What was last drawn into an element. @type {WeakMap<Element, Drawn>} */
const drawn = new WeakMap();

/**
 * Render `shapes` as the children of `parent`. Elements are kept by key, so that animations and focus survive.
 *
 * @param {Element} parent an <svg> or an element patched before
 * @param {import("./svg.js").Shape[]} shapes
 */
export function patch(parent, shapes) {
  const before = drawn.get(parent);
  /** @type {Drawn} */
  const after = new Map();
  const elements = shapes.map((shape, position) => {
    const key = shape.key ?? `${position} ${shape.tag}`;
    const last = before?.get(key);
    const known = last?.shape.tag === shape.tag && !after.has(key) ? last : null;
    const element = known?.element ?? document.createElementNS(SVG, shape.tag);
    if (known?.shape !== shape) {
      dress(element, known?.shape ?? null, shape);
    }
    after.set(key, { shape, element });
    return element;
  });
  // Remove old elements first: otherwise the kept ones would be moved, and the browser would rebuild them.
  /** @type {Set<Node>} */
  const kept = new Set(elements);
  for (const child of [...parent.childNodes]) {
    if (!kept.has(child)) {
      child.remove();
    }
  }
  elements.forEach((element, position) => {
    if (parent.childNodes[position] !== element) {
      parent.insertBefore(element, parent.childNodes[position] ?? null);
    }
  });
  drawn.set(parent, after);
}

/** @param {Element} element @param {import("./svg.js").Shape|null} before @param {import("./svg.js").Shape} after */
function dress(element, before, after) {
  const old = before?.attrs ?? {};
  for (const name of Object.keys(old)) {
    if (!(name in after.attrs)) {
      element.removeAttribute(name);
    }
  }
  for (const [name, value] of Object.entries(after.attrs)) {
    if (old[name] !== value) {
      element.setAttribute(name, String(value));
    }
  }
  if (typeof after.children === "string") {
    if (before?.children !== after.children) {
      element.textContent = after.children;
    }
  } else {
    patch(element, after.children);
  }
}

/**
 * Set an attribute if its value differs. Setting the same value costs the browser as much as a change: for a view box,
 * a layout of the whole drawing.
 *
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) {
    element.setAttribute(name, value);
  }
}

/**
 * A small <svg> with shapes, for an icon beside text.
 *
 * @param {import("./svg.js").Shape[]} shapes
 * @param {string} viewBox
 * @param {string} className
 */
export function picture(shapes, viewBox, className) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", viewBox);
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  patch(svg, shapes);
  return svg;
}

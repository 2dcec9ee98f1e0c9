/** Shapes to elements: the fewest changes that make the document look like the shapes. */

const SVG = "http://www.w3.org/2000/svg";

/** What was drawn into an element last: key -> shape and element. */
const drawn = new WeakMap();

/**
 * Make the children of `parent` look like `shapes`. Elements are kept by key, so that what is being
 * animated or focused survives.
 *
 * @param {Element} parent an <svg> or an element patched before
 * @param {import("./svg.js").Shape[]} shapes
 */
export function patch(parent, shapes) {
  const before = drawn.get(parent) ?? new Map();
  const after = new Map();
  shapes.forEach((shape, position) => {
    const key = shape.key ?? `${position} ${shape.tag}`;
    const known = before.get(key);
    const same = known?.shape.tag === shape.tag && !after.has(key);
    const element = same ? known.element : document.createElementNS(SVG, shape.tag);
    if (known?.shape !== shape || !same) {
      dress(element, same ? known.shape : null, shape);
    }
    if (parent.childNodes[position] !== element) {
      parent.insertBefore(element, parent.childNodes[position] ?? null);
    }
    after.set(key, { shape, element });
  });
  while (parent.childNodes.length > shapes.length) {
    parent.lastChild.remove();
  }
  drawn.set(parent, after);
}

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

/** A small <svg> of its own around shapes, for a mark beside words. */
export function picture(shapes, viewBox, className) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", viewBox);
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  patch(svg, shapes);
  return svg;
}

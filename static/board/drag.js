/** Dragging a piece from one place to another: the same as pressing the one and then the other. */

import { nameAt } from "./cells.js";
import { patch } from "../shapes/patch.js";

/** Pixels a pointer must travel before a press becomes a drag. */
const SLACK = 6;

/**
 * @param {HTMLElement} grid with draggable cells
 * @param {SVGGElement} layer where the dragged piece is drawn
 * @param {object} way
 * @param {(name: string) => import("../shapes/svg.js").Shape|null} way.held
 * @param {(from: string, to: string) => void} way.onDrop
 * @param {() => void} way.onMiss it was dropped outside of the cells
 */
export function bindDrag(grid, layer, { held, onDrop, onMiss }) {
  /** @type {{name: string, shape: import("../shapes/svg.js").Shape, x: number, y: number, moving: boolean}|null} */
  let drag = null;

  grid.addEventListener("pointerdown", (event) => {
    const name = nameAt(event.target);
    const shape = name === null || event.button !== 0 ? null : held(name);
    drag = name !== null && shape ? { name, shape, x: event.clientX, y: event.clientY, moving: false } : null;
  });

  addEventListener("pointermove", (event) => {
    if (!drag) {
      return;
    }
    drag.moving ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > SLACK;
    if (drag.moving) {
      const [x, y] = toBoard(layer, event);
      patch(layer, [{ tag: "g", attrs: { transform: `translate(${x} ${y})` }, children: [drag.shape] }]);
    }
  });

  addEventListener("pointerup", (event) => {
    const ended = stop();
    if (!ended?.moving) {
      return;
    }
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const to = nameAt(under);
    if (to === null && grid.contains(under)) {
      onMiss();
    } else if (to !== null && to !== ended.name) {
      onDrop(ended.name, to);
    }
  });

  addEventListener("pointercancel", stop);

  function stop() {
    const ended = drag;
    drag = null;
    patch(layer, []);
    return ended;
  }
}

/** @param {SVGGElement} layer @param {PointerEvent} event */
function toBoard(layer, { clientX, clientY }) {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(layer.getScreenCTM()?.inverse());
  return [Math.round(x), Math.round(y)];
}

/** The tables of the page "Check the dice": face counts and throws. */

import { bandWords, placeWords, resultWords } from "./words.js";
import { picture } from "../shapes/patch.js";
import { die } from "../shapes/svg.js";

/* global gettext */

/** Faces that have a picture of a die. */
const PICTURED = 6;

/** @param {{sides: number, dice: number, counts: import("./faces.js").Count[]}} kind */
export function facesTable(kind) {
  const most = Math.max(...kind.counts.map(({ count, high }) => Math.max(count, high)));
  const head = element("tr", {}, [
    heading("col", gettext("Face")),
    heading("col", gettext("Rolled"), "number"),
    heading("col", gettext("Expected"), "number"),
    heading("col", gettext("Result")),
    element("td", { ariaHidden: "true" }),
  ]);
  const rows = kind.counts.map((count) =>
    element("tr", {}, [
      element("th", { scope: "row" }, [faces([count.face])]),
      element("td", { className: "number", textContent: String(count.count) }),
      element("td", { className: "number", textContent: `${count.low}–${count.high}` }),
      element("td", { textContent: placeWords(count), className: `dice-${count.place}` }),
      element("td", { className: "dice-bar-cell", ariaHidden: "true" }, [bar(count, most)]),
    ]),
  );
  const table = element("table", { className: "dice-table" }, [
    element("thead", {}, [head]),
    element("tbody", {}, rows),
  ]);
  return element("div", { className: "stack" }, [
    element("p", { textContent: bandWords(kind) }),
    element("div", { className: "dice-scroll" }, [table]),
  ]);
}

/**
 * A face's count as a bar over its expected range.
 *
 * @param {import("./faces.js").Count} count
 * @param {number} most
 */
function bar({ count, low, high }, most) {
  /** @param {number} number */
  const percent = (number) => `${(100 * number) / most}%`;
  const stretch = element("span", { className: "dice-stretch" });
  const fell = element("span", { className: "dice-fell" });
  stretch.style.insetInlineStart = percent(low);
  stretch.style.width = percent(high - low);
  fell.style.width = percent(count);
  return element("span", { className: "dice-bar" }, [stretch, fell]);
}

/**
 * @param {import("./check_dice.js").Throw[]} throws
 * @param {import("./check_dice.js").Problem[]|null} problems null if nothing was checked
 */
export function throwsRows(throws, problems) {
  return throws.map((thrown) => {
    const wrong = problems?.some(({ ply }) => ply === thrown.ply);
    return element("tr", {}, [
      element("th", { scope: "row", className: "number", textContent: String(thrown.ply) }),
      element("td", {}, [faces(thrown.faces)]),
      element("td", {
        className: wrong === undefined ? "" : wrong ? "dice-wrong" : "dice-right",
        textContent: problems ? resultWords(thrown, problems) : gettext("not checked"),
      }),
    ]);
  });
}

/**
 * Faces as pictures with their numbers as text alternatives; only numbers for dice with more sides.
 *
 * @param {number[]} numbers
 */
function faces(numbers) {
  const words = numbers.join(" ");
  if (Math.max(...numbers) > PICTURED || Math.min(...numbers) < 1) {
    return element("span", { className: "number", textContent: words });
  }
  return element("span", { className: "dice-row" }, [
    element("span", { className: "visually-hidden", textContent: words }),
    ...numbers.map((face) => picture([die(face, 0, 0, 2)], "-1.1 -1.1 2.2 2.3", "dice-die")),
  ]);
}

/** @param {string} scope @param {string} textContent */
const heading = (scope, textContent, className = "") => element("th", { scope, textContent, className });

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Partial<HTMLElementTagNameMap[T]>} [properties]
 * @param {(Element|string)[]} [children]
 */
function element(tag, properties = {}, children = []) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

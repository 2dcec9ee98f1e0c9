/**
 * The drawing of Kalah, in units of the board. JSON, so that games/pictures reads it too.
 *
 * A wide board has a row of pits for each side, `pitch` apart, between the stores: `pit` and `store` are radii across
 * and down, `gap` is between the rows, `band` beside them, with the numbers. On a narrow one the pits lie on an ellipse
 * of the radii `ring`, and the stores in it, `apart` from its centre, each in the half of its side. A number is `number` high.
 */
export const PLAN = {
  "seeds": ["ivory", "carob", "slate", "moss", "amber"],
  "wide": {
    "margin": 26,
    "end": 106,
    "pitch": 117,
    "pit": [55, 72],
    "store": [43, 186],
    "gap": 84,
    "band": 75,
    "corner": 46,
    "thick": 9,
    "lip": 4,
    "seed": 16,
    "number": 26,
    "owner": [-32, 14, 11]
  },
  "narrow": {
    "size": [390, 407],
    "ring": [153, 159],
    "pit": [36, 36],
    "store": [63, 31],
    "apart": 38,
    "band": 26,
    "corner": 74,
    "thick": 6,
    "lip": 1.8,
    "seed": 8.4,
    "number": 14,
    "owner": [-15, 9, 7]
  }
};

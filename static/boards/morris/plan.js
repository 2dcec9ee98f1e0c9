/**
 * The drawing of Nine Men's Morris and its relatives. JSON, so that games/pictures reads it too.
 *
 * `boards` are the lines of each board, as the rules name its points. `field` is where the outermost square begins, and
 * its side. `rails` are x, y, width and height of the rail of each side: of the one opposite, and of the nearest. The
 * first `head` of a rail is for the mark of the turn; the rest is for the men, as far as `man` allows.
 */
export const PLAN = {
  "boards": {
    "three": "a7-d7-g7 b6-d6-f6 c5-d5-e5 a4-b4-c4 e4-f4-g4 c3-d3-e3 b2-d2-f2 a1-d1-g1 a7-a4-a1 b6-b4-b2 c5-c4-c3 d7-d6-d5 d3-d2-d1 e5-e4-e3 f6-f4-f2 g7-g4-g1",
    "two": "a5-c5-e5 b4-c4-d4 b2-c2-d2 a1-c1-e1 a5-a3-a1 b4-b3-b2 d4-d3-d2 e5-e3-e1 a3-b3 c5-c4 c2-c1 d3-e3",
    "diagonals": "a7-d7-g7 b6-d6-f6 c5-d5-e5 a4-b4-c4 e4-f4-g4 c3-d3-e3 b2-d2-f2 a1-d1-g1 a7-a4-a1 b6-b4-b2 c5-c4-c3 d7-d6-d5 d3-d2-d1 e5-e4-e3 f6-f4-f2 g7-g4-g1 a7-b6-c5 g7-f6-e5 a1-b2-c3 g1-f2-e3"
  },
  "wide": {
    "size": [936, 600],
    "corner": 30,
    "thick": 8,
    "field": [222, 44, 492],
    "man": 34,
    "groove": 4.4,
    "letters": [172, 582, 15],
    "rails": [[40, 24, 84, 546], [812, 24, 84, 546]],
    "head": 46,
    "slot": 28
  },
  "narrow": {
    "size": [390, 407],
    "corner": 16,
    "thick": 5,
    "field": [51, 48, 288],
    "man": 21.5,
    "groove": 2.8,
    "letters": [16, 366.5, 11],
    "rails": [[9, 4, 372, 23], [9, 375, 372, 23]],
    "head": 26,
    "slot": 9.5
  }
};

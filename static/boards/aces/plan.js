/**
 * The drawing of Aces: sizes and places in units of the board, for all numbers of seats, and in `layouts` by the number
 * of seats, up to `seats`. JSON, so that games/pictures reads it too.
 *
 * `pot` is x, y and radius of the centre; `legend` and `status` are x, y and width of the text beside it. A legend
 * without a width is a row of pictures.
 */
export const PLAN = {
  "wide": { "size": [1120, 630], "margin": 26, "rim": 18, "corner": 76, "head": 38, "foot": 28, "bulge": 0.75, "type": 18 },
  "narrow": { "margin": 13, "rim": 8, "corner": 28, "head": 13, "foot": 25, "bulge": 0.5, "type": 14 },
  "layouts": [
    {
      "seats": 2,
      "wide": { "tray": [840, 188], "dice": 98, "pot": [560, 315, 80], "legend": [262, 264, 180], "status": [690, 296, 220] },
      "narrow": { "size": [390, 411], "tray": [360, 128], "dice": 56, "pot": [195, 205, 46], "legend": [22, 172, 110], "status": [262, 190, 112] }
    },
    {
      "seats": 3,
      "wide": { "tray": [400, 176], "dice": 64, "pot": [560, 342, 72], "legend": [228, 322, 180], "status": [690, 346, 220] },
      "narrow": { "size": [390, 411], "tray": [172, 126], "dice": 41, "pot": [195, 226, 40], "legend": [11, 292, 92], "status": [290, 300, 88] }
    },
    {
      "seats": 4,
      "wide": { "tray": [340, 176], "dice": 58, "pot": [560, 315, 74], "legend": [72, 456, 180], "status": [800, 486, 220] },
      "narrow": { "size": [390, 420], "tray": [126, 120], "dice": 34, "pot": [195, 210, 44], "legend": [22, 324, 104], "status": [270, 336, 104] }
    },
    {
      "seats": 6,
      "wide": { "tray": [252, 150], "dice": 44, "pot": [560, 304, 68], "legend": [332, 262, 140], "status": [664, 288, 146] },
      "narrow": { "size": [390, 450], "tray": [112, 100], "dice": 30, "pot": [195, 215, 50], "legend": [142, 140, 0], "status": [142, 289, 106] }
    },
    {
      "seats": 8,
      "wide": { "tray": [236, 132], "dice": 40, "pot": [560, 304, 68], "legend": [332, 262, 140], "status": [664, 288, 146] },
      "narrow": { "size": [390, 540], "tray": [110, 96], "dice": 28, "pot": [195, 260, 56], "legend": [142, 150, 0], "status": [142, 340, 106] }
    }
  ]
};

// The rules of Kalah that all servers beside Parlour play by: 6 pits of 6 seeds, the opponent's store is skipped,
// and a last seed in an empty pit of one's own goes to the store with whatever lies opposite.
const PITS = 6;
const STORES = [PITS, 2 * PITS + 1];

/** The board at the start: the pits and the store of seat 0, then those of seat 1. */
exports.setup = () => Array.from({ length: 2 * PITS + 2 }, (_, place) => (STORES.includes(place) ? 0 : PITS));

/** Sow from a pit (0 to 5) of a seat, in place; "again", "next" or "over", null if the move is illegal. */
exports.sow = (board, seat, pit) => {
  const left = seat * (PITS + 1);
  let place = left + pit;
  if (!Number.isInteger(pit) || pit < 0 || pit >= PITS || !board[place]) return null;
  let seeds = board[place];
  board[place] = 0;
  while (seeds) {
    place = (place + 1) % board.length;
    if (place === STORES[1 - seat]) continue;
    board[place] += 1;
    seeds -= 1;
  }
  if (place >= left && place < left + PITS && board[place] === 1) {
    const opposite = 2 * PITS - place;
    board[STORES[seat]] += board[opposite] + 1;
    board[place] = 0;
    board[opposite] = 0;
  }
  if ([0, PITS + 1].some((first) => !board.slice(first, first + PITS).some(Boolean))) return "over";
  return place === STORES[seat] ? "again" : "next";
};

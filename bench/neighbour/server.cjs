// Kalah on boardgame.io with its store in memory, as its documentation has it: `node server.cjs <port>`.
const { Server } = require("boardgame.io/server");

const PITS = 6;
const STORES = [PITS, 2 * PITS + 1];

function sow({ G, playerID, events }, pit) {
  const seat = Number(playerID);
  const left = seat * (PITS + 1);
  let place = left + pit;
  let seeds = G.board[place];
  if (!Number.isInteger(pit) || pit < 0 || pit >= PITS || !seeds) return "INVALID_MOVE";
  G.board[place] = 0;
  while (seeds) {
    place = (place + 1) % G.board.length;
    if (place === STORES[1 - seat]) continue;
    G.board[place] += 1;
    seeds -= 1;
  }
  if (place >= left && place < left + PITS && G.board[place] === 1) {
    const opposite = 2 * PITS - place;
    G.board[STORES[seat]] += G.board[opposite] + 1;
    G.board[place] = G.board[opposite] = 0;
  }
  if ([0, PITS + 1].some((first) => G.board.slice(first, first + PITS).every((n) => !n))) {
    events.endGame({ scores: STORES.map((store) => G.board[store]) });
  } else if (place !== STORES[seat]) {
    events.endTurn();
  }
}

const kalah = {
  name: "kalah",
  setup: () => ({ board: Array.from({ length: 2 * PITS + 2 }, (_, place) => (STORES.includes(place) ? 0 : 6)) }),
  moves: { sow },
};

Server({ games: [kalah], origins: [/./] }).run(Number(process.argv[2]), () => console.log("ready"));

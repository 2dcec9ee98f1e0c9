// Kalah on boardgame.io with its store in memory, as its documentation shows it: `node boardgame-io.cjs <port>`.
const { Server } = require("boardgame.io/server");
const { setup, sow } = require("./kalah.cjs");

const kalah = {
  name: "kalah",
  setup: () => ({ board: setup() }),
  moves: {
    sow({ G, playerID, events }, pit) {
      const result = sow(G.board, Number(playerID), pit);
      if (!result) return "INVALID_MOVE";
      if (result === "over") events.endGame({ board: [...G.board] });
      else if (result === "next") events.endTurn();
    },
  },
};

Server({ games: [kalah], origins: [/./] }).run(Number(process.argv[2]), () => console.log("ready"));

// Kalah on Colyseus, one room a match: `node colyseus.mjs <port>`. The state is sent after every move and not
// every 50 ms, which is the default, so that its latency can be compared.
import { createRequire } from "node:module";
import { Room, Server } from "@colyseus/core";
import { schema } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";

const { setup, sow } = createRequire(import.meta.url)("./kalah.cjs");
const Match = schema({ board: ["uint8"], turn: "uint8", ply: "uint16", over: "boolean" });

class Kalah extends Room {
  patchRate = null;
  maxMessagesPerSecond = Infinity;
  seats = new Map();

  onCreate() {
    this.board = setup();
    this.state = new Match();
    this.state.assign({ board: [...this.board], turn: 0, ply: 0, over: false });
    this.onMessage("move", (client, pit) => this.move(this.seats.get(client.sessionId), pit));
  }

  onJoin(client, { seat }) {
    this.seats.set(client.sessionId, seat);
  }

  move(seat, pit) {
    const { state } = this;
    const result = !state.over && seat === state.turn ? sow(this.board, seat, pit) : null;
    if (!result) return;
    this.board.forEach((seeds, place) => {
      if (state.board[place] !== seeds) state.board[place] = seeds;
    });
    state.ply += 1;
    if (result === "over") state.over = true;
    else if (result === "next") state.turn = 1 - seat;
    this.broadcastPatch();
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define("kalah", Kalah).filterBy(["match"]);
await server.listen(Number(process.argv[2]));
console.log("ready");

// Kalah on a bare WebSocket server, no framework: `node ws.cjs <port>`. A socket at /<match>?seat=0 plays, one
// without a seat watches.
const { WebSocketServer } = require("ws");
const { setup, sow } = require("./kalah.cjs");

const matches = new Map();
const server = new WebSocketServer({ port: Number(process.argv[2]) }, () => console.log("ready"));

server.on("connection", (socket, request) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  const seat = searchParams.has("seat") ? Number(searchParams.get("seat")) : null;
  if (!matches.has(pathname)) matches.set(pathname, { board: setup(), turn: 0, ply: 0, over: false, sockets: new Set() });
  const match = matches.get(pathname);
  match.sockets.add(socket);
  socket.on("close", () => match.sockets.delete(socket));
  socket.on("message", (data) => {
    const { after, move } = JSON.parse(data);
    if (match.over || after !== match.ply || seat !== match.turn) return;
    const result = sow(match.board, seat, move);
    if (!result) return;
    match.ply += 1;
    match.over = result === "over";
    if (result === "next") match.turn = 1 - seat;
    const { board, turn, ply, over } = match;
    const news = JSON.stringify({ type: "ply", seat, move, board, turn, ply, over });
    for (const each of match.sockets) each.send(news);
  });
});

/** Moves on the match page: pressed, typed and chosen by keys, refused in words, and looked back at. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openMatch } from "../dom/match.js";
import { messages } from "../lobby/front.js";

const cell = (name) => `#board [data-cell='${name}']`;

async function typed(page, words) {
  await page.type("#command-text", words);
  await page.until(() => page.find("#command-text").value === "", "the answer to what was typed");
}

test("a pressed pit is sent as a move about the known position, and played once", async (t) => {
  const { page, server } = await openMatch(t);
  await page.click(cell("0"));
  const { move, after } = server.asked("move");
  assert.deepEqual([move, after], ["1", 0]);
  await page.click(cell("1"));
  assert.equal(page.text("#notice"), "Sending your move.");
  assert.equal(server.socket.of("move").length, 1);
  await server.play();
  assert.equal(page.text("#headline"), "Ben to move");
});

test("my strip says that it is my turn", async (t) => {
  const { page, server } = await openMatch(t);
  const note = (seat) => page.text(`.player[data-seat='${seat}'] .player-note-words`);
  assert.equal(note(0), "Your turn");
  await page.click(cell("0"));
  await server.play();
  assert.match(note(0), /^you$/);
  assert.match(note(1), /to move/);
});

test("the header counts the other matches in which it is my turn", async (t) => {
  const { page } = await openMatch(t);
  const me = await page.feed("me");
  await me.open({ ...messages().hello, waiting: ["match"] });
  assert.equal(page.shows("#waiting"), false);
  await me.tell({ type: "turn", match: "another", mine: true, left: null });
  assert.equal(page.text("#waiting .number"), "1");
});

test("thrown dice are listed as dice, and read as numbers", async (t) => {
  const { page } = await openMatch(t, { game: "cantstop", you: null, ply: 4 });
  const dice = page.find("#moves .ply-dice");
  assert.match(dice.dataset.faces, /^[⚀-⚅]{4}$/);
  const numbers = [...dice.dataset.faces].map((face) => face.codePointAt(0) - 0x267f);
  assert.equal(dice.closest("button").textContent, `[${numbers.join(" ")}]`);
});

test("a digit plays a pit", async (t) => {
  const { page, server } = await openMatch(t);
  await page.press("2");
  assert.equal(server.asked("move").move, "2");
});

test("arrow keys lead over the board, and Enter plays", async (t) => {
  const { page, server } = await openMatch(t, { you: 1, ply: 1 });
  page.find("#board [tabindex='0']").focus();
  for (const key of ["Home", "ArrowRight", "Enter"]) {
    await page.press(key);
  }
  assert.equal(server.asked("move").move, "1");
});

test("a typed move is sent as it is, and a refusal is said", async (t) => {
  const { page, server } = await openMatch(t);
  await typed(page, "swap");
  assert.equal(server.asked("move").move, "swap");
  await server.refuse("move", "no-swap", "You cannot swap sides now.");
  assert.equal(page.text("#notice"), "You cannot swap sides now.");
  assert.equal(page.find("#notice").dataset.tone, "refused");
});

/** The page of the second player of a match of Circle, whose turn it is; a ply of each player has been played. */
const second = (t, settings = {}) => openMatch(t, { you: 1, ply: 1, settings });

test("pits counted round the board are typed, shown, said and listed by the same numbers", async (t) => {
  const { page, server } = await second(t);
  assert.match(page.find(cell("8")).getAttribute("aria-label"), /^Your pit 8: /);
  await typed(page, "legal");
  assert.equal(page.text("#answer"), "7, 8, 9, 10, 11 and 12");
  await typed(page, "2");
  assert.equal(page.text("#answer"), "Pit 2 is not yours. Yours are 7 to 12.");
  assert.equal(server.asked("move"), undefined);
  await typed(page, "7");
  assert.equal(server.asked("move").move, "7");
  await server.play();
  assert.match(page.text("#reason"), /from pit 7\./);
  assert.equal(page.text("#moves li:last-child .ply"), "7");
});

test("the keys of a number with two digits are pressed one after the other", async (t) => {
  const { page, server } = await second(t);
  for (const key of ["1", "9"]) {
    await page.press(key);
  }
  assert.equal(server.asked("move").move, "3");
  const { page: other, server: asked } = await second(t);
  await other.press("1");
  assert.equal(asked.asked("move"), undefined);
  await other.press("1");
  assert.equal(asked.asked("move").move, "5");
});

test("a setting counts the pits of each side by themselves, at once", async (t) => {
  const { page, server } = await second(t, { pits: "side" });
  assert.match(page.find(cell("8")).getAttribute("aria-label"), /^Your pit 2: /);
  await typed(page, "8");
  assert.equal(page.text("#answer"), "Pit 8 is not yours. Yours are 1 to 6.");
  page.window.localStorage.setItem("parlour:pits", '"round"');
  const changed = new page.window.Event("storage");
  page.window.dispatchEvent(Object.assign(changed, { key: "parlour:pits" }));
  assert.match(page.find(cell("8")).getAttribute("aria-label"), /^Your pit 8: /);
  assert.equal(server.asked("move"), undefined);
});

test("a pit of the other and a store explain themselves", async (t) => {
  const { page, server } = await openMatch(t);
  await page.click(cell("8"));
  assert.match(page.text("#notice"), /Yours are in the near row/);
  await page.click(cell("6"));
  assert.match(page.text("#notice"), /store/);
  assert.equal(server.asked("move"), undefined);
});

test("a watcher presses in vain", async (t) => {
  const { page, server } = await openMatch(t, { you: null });
  await page.click(cell("0"));
  assert.match(page.text("#notice"), /You are watching/);
  assert.equal(server.asked("move"), undefined);
});

test("players see how many watch", async (t) => {
  const { page, server } = await openMatch(t);
  await server.crowd({ watchers: 1 });
  assert.equal(page.text("#watchers"), "1");
});

test("a move without a connection is kept, said so, and sent when there is one", async (t) => {
  const { page, server } = await openMatch(t);
  await server.socket.lose();
  await page.click(cell("0"));
  assert.match(page.text("#notice"), /will be sent/);
  await page.time.pass(1_000);
  const again = await page.feed("match");
  await again.open(server.snapshot());
  assert.deepEqual(again.of("move").map(({ move }) => move), ["1"]);
});

test("a board that is looked back at is not pulled to the newest move", async (t) => {
  const { page, server } = await openMatch(t, { ply: 1 });
  await page.click("#first");
  await server.shown(0);
  await server.tell(server.upTo(2, 1));
  await server.shown(0);
  await page.click("#live");
  await server.shown(2);
});

test("a refusal goes once it is no longer so", async (t) => {
  const { page, server } = await openMatch(t, { game: "morris", you: 1, ply: 1 });
  await page.click(cell("a1"));
  assert.equal(page.find("#notice").dataset.tone, "refused");
  await page.click(cell("hand1"));
  assert.equal(page.text("#notice"), "");
  await page.click("#previous");
  await server.shown(0);
  await page.click(cell("a7"));
  assert.match(page.text("#notice"), /Go back to live to move\./);
  await page.click("#live");
  assert.equal(page.text("#notice"), "");
});

test("a press on another man of one's own selects it and says why it is no move", async (t) => {
  const { page, server } = await openMatch(t, { game: "morris", ply: 4 });
  const legal = ["a1-a4", "d1-g1"];
  const { state } = server.position;
  server.plies[4] = { ...server.plies[3], number: 5, state: { ...state, hand: [0, 0] }, legal };
  await server.play();
  await page.click(cell("a1"));
  await page.click(cell("d1"));
  assert.match(page.text("#notice"), /Your man on d1 is now selected\./);
  assert.equal(server.asked("move"), undefined);
});

test("a press beside every place says what there is to choose from", async (t) => {
  const { page, server } = await openMatch(t, { game: "morris", ply: 4 });
  await page.click("#board .board-cells");
  assert.equal(page.text("#notice"), "Place a man on any of the 20 empty points.");
  assert.equal(page.find("#notice").dataset.tone, "refused");
  const { state } = server.position;
  server.plies[4] = { ...server.plies[3], number: 5, state: { ...state, hand: [0, 0] }, legal: ["a1-a4", "d1-g1"] };
  await server.play();
  await page.click("#board .board-cells");
  assert.equal(page.text("#notice"), "Move the man on a1 or d1.");
  await page.click(cell("a1"));
  await page.click("#board .board-cells");
  assert.equal(page.text("#notice"), "The man on a1 can go to a4.");
  assert.equal(server.asked("move"), undefined);
});

test("beside every place, too, one is told whose turn it is", async (t) => {
  const { page } = await openMatch(t, { you: 1 });
  await page.click("#board .board-cells");
  assert.equal(page.text("#notice"), "It is Anna’s turn.");
});

test("the click that ends a drag between two places is no press beside them", async (t) => {
  const { page } = await openMatch(t);
  const { Event } = page.window;
  page.find(cell("0")).dispatchEvent(new Event("pointerdown", { bubbles: true }));
  page.find("#board .board-cells").dispatchEvent(new Event("click", { bubbles: true }));
  assert.equal(page.text("#notice"), "");
});

test("the box for moves opens by its key and from the menu", async (t) => {
  const { page } = await openMatch(t);
  await page.press("/");
  assert.equal(page.document.activeElement, page.find("#command-text"));
  assert.equal(page.find("#command-text").value, "");
  await page.press("Escape");
  await page.press("m");
  assert.ok(page.find("#more").open);
  await page.click("#type-move");
  assert.equal(page.document.activeElement, page.find("#command-text"));
  assert.ok(!page.find("#more").open);
});

test("a setting keeps the box for moves open", async (t) => {
  const { page } = await openMatch(t, { settings: { typing: "on" } });
  assert.ok(page.find("#match").hasAttribute("data-typing"));
});

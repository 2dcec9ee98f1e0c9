/** The match page in a test, and the server of the match, whose messages the test sends. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { allowed } from "../allowed.js";
import { openPage, rendered } from "./page.js";

/** Milliseconds after which pieces have landed. */
const LONGEST_FLIGHT = 20_000;
const BOARD = /data-board="[^"]*"/;
const COMPUTERS = /data-computers="[^"]*"/;

/** The first plies of a match of a game as the rules play them. @param {string} game */
function recorded(game) {
  return JSON.parse(readFileSync(new URL(`../../../var/rendered/plies-${game}.json`, import.meta.url), "utf8"));
}

/**
 * Open the page of a match at which Anna has seat 0 and Ben seat 1, and tell it how the match stands.
 *
 * @param {import("node:test").TestContext} t
 * @param {object} [options] those of `openPage`, and:
 * @param {string} [options.page] the page among those of tests/helpers/rendered_pages.py
 * @param {string} [options.game]
 * @param {number|null} [options.you] my seat
 * @param {number} [options.ply] how many plies have been played
 * @param {number} [options.shown] the ply on the board then, where an address names another one
 * @param {object|null} [options.outcome] of a match that is over
 * @param {Record<number, string>} [options.computers] the names of computer players in the language of the page, by seat
 * @param {object} [options.match] fields of the match that differ
 * @param {object} [options.snapshot] fields of the snapshot that differ
 */
export async function openMatch(t, { page: name, game = "kalah", you = 0, ply = 0, shown = ply, outcome = null, computers = {}, match = {}, snapshot = {}, ...options } = {}) {
  const html = rendered(name ?? (you === null ? "match-watched" : "match"))
    .replace(BOARD, `data-board="/static/boards/${game}.js"`)
    .replace(COMPUTERS, `data-computers='${JSON.stringify(computers)}'`);
  const page = await openPage(t, { html, path: "/m/match", ...options });
  const loaded = page.load("pages/match.js");
  // What goes wrong while the modules load is known before anything is waited for.
  const socket = await Promise.race([page.feed("match"), loaded.then(() => page.feed("match"))]);
  const server = new MatchServer(page, socket, { game, you, ply, match });
  server.outcome = outcome;
  socket.hear = (said) => said.type === "ping" && server.tell({ type: "pong", t: said.t, ply: server.ply });
  await socket.open(server.snapshot(snapshot));
  if (ply > 0) {
    await server.tell(server.upTo(ply));
  }
  await loaded;
  await page.until(() => page.find("#match").dataset.ply === String(shown), "the position on the board");
  await page.until(() => page.shows("#mute"), "what is loaded later");
  return { page, server };
}

export class MatchServer {
  constructor(page, socket, { game, you, ply, match }) {
    const { start, plies } = recorded(game);
    Object.assign(this, { page, socket, you, ply, start, plies });
    this.match = {
      id: "match",
      game,
      options: start.state.options ?? {},
      from_position: false,
      rated: false,
      draws: true,
      shared: false,
      absence: 60,
      seats: [{ seat: 0, name: "Anna", level: null }, { seat: 1, name: "Ben", level: null }],
      offered: [],
      rematch: null,
      dice: null,
      clock: null,
      ...match,
    };
    /** What is so beside the position. */
    this.flags = { halted: null, acted: [], left: [], caretaken: [] };
    this.outcome = null;
    this.may = {};
    this.holds = false;
  }

  /** From now on the page is that of whoever holds one board for several people. */
  hold() {
    this.holds = true;
  }

  /** The server's time in milliseconds. */
  get now() {
    return this.page.time.epoch + this.page.time.now;
  }

  get position() {
    return this.ply === 0 ? this.start : this.plies[this.ply - 1];
  }

  /** What comes with the newest position. */
  #beside(offers = []) {
    const { you, ply, outcome, flags, position } = this;
    const { turn } = position.state;
    const seat = this.holds ? turn : you;
    const may = allowed({ you: seat, turn, ply, outcome, offers, ...flags, ...this.may });
    const legal = seat === turn && !outcome && !flags.halted ? position.legal : undefined;
    return { ...flags, outcome, may, ...(legal && { legal }) };
  }

  snapshot(more = {}) {
    const { ply, you, match, start, position } = this;
    return {
      type: "snapshot",
      match,
      you,
      ply,
      start: start.state,
      state: position.state,
      ...this.#beside(more.offers),
      offers: [],
      time: this.now,
      watchers: 0,
      names: [],
      present: [0, 1],
      away: [],
      hidden: false,
      hidden_by: [],
      ...more,
    };
  }

  /** The message with plies `after` + 1 to `ply`, where the match then stands. */
  upTo(ply, after = 0, more = {}) {
    this.ply = ply;
    const command = this.asked("move")?.id ?? null;
    const plies = this.plies.slice(after, ply).map(({ legal: _, ...each }) => ({ command, at: "2026-01-01T12:00:00Z", ...each }));
    return { type: "plies", after, plies, ...this.#beside(), time: this.now, ...more };
  }

  /** Tell the page something. @param {...object} messages */
  tell(...messages) {
    return this.socket.tell(...messages);
  }

  /** The next recorded ply is played. */
  async play(more = {}) {
    await this.tell(this.upTo(this.ply + 1, this.ply, more));
    await this.shown();
  }

  /**
   * Something happens beside the rules: the position stays, and what is known beside it changes.
   *
   * @param {string} action as in the text of the ply
   * @param {object} [more] fields of the ply, the outcome, and the flags that follow
   */
  async act(action, { seat = null, command = "an-act-0001", events = [], outcome = null, state, position = this.position, ...flags } = {}) {
    this.plies = [...this.plies.slice(0, this.ply)];
    this.plies.push({ number: this.ply + 1, seat, command, action, dice: null, events, state: state ?? position.state, legal: position.legal });
    this.outcome = outcome;
    this.flags = { ...this.flags, ...flags };
    await this.play();
  }

  /** A move of a seat is taken back: the match goes on from the position after a ply. */
  async takeBack(seat, to) {
    await this.act(`back:${seat}:${to}`, { seat, position: to === 0 ? this.start : this.plies[to - 1] });
  }

  /** Somebody has left for good, and the other has won. */
  async leave(seat, reason = "resigned") {
    const outcome = { winners: [1 - seat], reason, scores: [0, 0] };
    const state = { ...this.position.state, ended: outcome };
    await this.act(`left:${seat}:${reason}`, { seat, events: [{ kind: "left", seat, reason }], outcome, state, left: [seat] });
  }

  /** What is on offer from now on: `{kind, by}`, or nothing. @param {...object} offers */
  async offer(...offers) {
    const open = offers.map((offer) => ({ agreed: [offer.by], until: this.now + 60_000, ...offer }));
    const { may } = this.#beside(open);
    await this.tell({ type: "offers", ply: this.ply, offers: open, may });
  }

  /** Who is here, and who is away. */
  crowd(more = {}) {
    return this.tell({ type: "crowd", watchers: 0, names: [], present: [0, 1], away: [], hidden: false, hidden_by: [], ...more });
  }

  /** Accept the newest command of a type; what it said. @param {string} type */
  async accept(type) {
    const command = this.asked(type);
    await this.tell({ type: "accepted", id: command.id, ply: this.ply });
    return command;
  }

  /** Refuse it. */
  async refuse(type, code, detail) {
    await this.tell({ type: "refused", id: this.asked(type).id, code, detail });
  }

  /** The newest command of a type that the page sent. @param {string} type */
  asked(type) {
    return this.socket.of(type).at(-1);
  }

  /** Wait until the board stands at a ply, where the match does unless another is named. While pieces fly, time passes. */
  async shown(ply = this.ply) {
    const stands = () => this.page.find("#match").dataset.ply === String(ply);
    for (let waited = 0; !stands() && waited < LONGEST_FLIGHT; waited += 100) {
      await this.page.time.pass(100);
    }
    assert.ok(stands(), `The board does not stand at ply ${ply}.`);
    if (this.outcome && ply === this.ply) {
      await this.page.until(() => this.page.shows("#end") || this.page.shows("#end-open"), "the sheet of the end");
    }
  }
}

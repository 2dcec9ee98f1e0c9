/**
 * What follows from a state of Aces, the one of games/rules/aces.py.
 *
 * Seats are clockwise in turn order, so that the next player is always on the left. While a throw is shown, a state may
 * also hold `landing`, the seat whose dice have just landed, `rolling`, the seat whose dice roll, and null for a die in
 * motion.
 *
 * @typedef {number|null} Die
 *
 * @typedef {object} Own the fields of this game's state
 * @property {{dice: number, last_ace: string}} options
 * @property {Die[][]} dice
 * @property {boolean[]} present
 * @property {number} centre
 * @property {number} throws of the turn so far
 * @property {number|null} [landing]
 * @property {number|null} [rolling]
 * @property {boolean} [due]
 *
 * @typedef {Boards.State & Own} State
 * @typedef {Boards.View<Event>} View
 *
 * @typedef {object} Event the fields of all kinds; the kind determines which are set
 * @property {string} kind
 * @property {number} seat
 * @property {number[]} faces
 * @property {number} count
 * @property {number} in_play
 * @property {number} to
 * @property {string} side
 * @property {number} next
 * @property {string} why
 *
 * @typedef {{x: number, y: number, size: number, turn: number}} Spot the position of a die
 */

export const [ACE, TWO, FIVE] = [1, 2, 5];

/** What dice show that nobody has thrown: faces that stay where they are. */
export const RESTING = [3, 6, 4];

/** @param {State} state */
export const diceInAll = (state) => state.options.dice * state.dice.length;

/** @param {Die} face */
export const isHandedOn = (face) => face === ACE || face === TWO || face === FIVE;

/** The number of dice of a seat: those that roll are still its own, those on their way to another are nobody's. @param {number} seat @param {State} state */
export const heldBy = (seat, state) => state.dice[seat].filter((face) => face !== null || state.rolling === seat).length;

/** Whether the game is over, by the rules or by agreement. @param {State} state @param {Boards.Sight} view */
export const isOver = (state, view) => Boolean(state.ended ?? view.outcome);

/** @param {number} seat @param {State} state @param {View} view */
export const isLit = (seat, state, view) =>
  isOver(state, view) ? Boolean((state.ended ?? view.outcome)?.winners.includes(seat)) : state.turn === seat;

/** @param {number} seat @param {View} view */
export const mayThrow = (seat, view) => seat === view.seat && view.legal.includes("roll");

/** What boards and the pages that show them tell each other; docs/guide/new-game.md says it in words. */

declare namespace Boards {
  type Cell = import("../static/shapes/svg.js").Cell;
  type Shape = import("../static/shapes/svg.js").Shape;
  type Control = import("../static/board/controls.js").Control;
  type Flight = import("../static/shapes/flights.js").Flight;

  interface Outcome {
    winners: number[];
    reason: string;
    scores: number[];
  }

  /** What every state has; the rest is known to the rules and the board of its game. */
  interface State {
    turn: number;
    ended?: Outcome | null;
  }

  /** What every event has. */
  interface Event {
    kind: string;
    seat?: number;
  }

  interface Ply {
    action: string;
    dice: number[] | null;
    events: Event[];
  }

  /** Whose eyes see a position, and what can be played in it. */
  interface Sight {
    seat: number | null;
    bottom: number;
    names: string[];
    legal: string[];
    outcome: Outcome | null;
    /** How a person wants places with numbers to be counted; "auto" where nobody has said. */
    pits?: "auto" | "round" | "side";
    /** Whether the reader only tries moves for `seat`, and is no player: every seat is called by its name. */
    visitor?: boolean;
  }

  /** The same for a drawing. */
  interface View<E = Event> extends Sight {
    selection: string | null;
    preview: string | null;
    last: { events: E[] } | null;
    narrow: boolean;
    /** Whether it is a small board among others, on which no words could be read. */
    small?: boolean;
  }

  interface Frame<S = State> {
    state: S;
    ms: number;
    fly?: Flight[];
    /** Whether the flights go on in the next frame. */
    airborne?: boolean;
    flash?: string[];
  }

  /** What a press means: one of these, or a selection and why the press was nothing more. */
  interface Answer {
    move?: string;
    selection?: string | null;
    refusal?: string;
  }

  /** What a newcomer is told, and the move that it is about. */
  interface Advice {
    words: string;
    /** The same for whoever does not see the move glow. */
    told: string;
    move: string | null;
  }

  /** The moves that may be entered before the turn comes, by move the places it is about, in a position imagined for that. */
  interface Premoves {
    state: State;
    moves: Record<string, string[]>;
  }

  /** The same with the move that has been entered, if one has. */
  interface Premoving extends Premoves {
    chosen: string | null;
  }

  /** What a move touches: the centres and radii of its places, from the first to the last. */
  interface Track {
    spots: [x: number, y: number, r: number][];
    /** How far the way bends aside, in parts of its length. */
    bend?: number;
  }

  type Size = [width: number, height: number];

  /** What static/boards/<slug>/edit.js exports, for people who set up a position. States may be none that a match can have. */
  interface Editing {
    /** What a press can put on the board; the first is chosen at the beginning. */
    tools(state: State, names: string[]): { name: string; label: string }[];
    /** The state after a press on a cell. */
    press(cell: string, tool: string, state: State): State;
    /** The state without any pieces. */
    clear(state: State): State;
  }

  /** What static/boards/<slug>.js exports. */
  interface Module {
    viewBox(state: State, view: View): Size;
    draw(state: State, view: View): Shape[];
    cells(state: State, view: View): (string | null)[][];
    pick(cell: string, selection: string | null, legal: string[], state: State, view: View): Answer;
    controls(state: State, view: Sight): Control[];
    /** Whether there may ever be such buttons in a match; they may, where a board does not say. */
    hasButtons?(state: State): boolean;
    motion(event: Event, state: State, view: View): Frame[];
    narrate(event: Event, view: Sight, state: State, events: Event[]): string;
    prompt(state: State, view: Sight & { selection?: string | null }): string;
    summary(state: State, view: Sight): string;
    /** `moveAt` gives the number of the move that a ply belongs to, as the list of moves counts. */
    fact?(plies: (Ply & { number: number })[], view: Sight, moveAt: (ply: number) => number): string;
    result?(outcome: Outcome, view: Sight, state: State): string;
    coach?(state: State, view: Sight, events: Event[]): Advice | null;
    tally?(state: State, seat: number): string;
    /** What belongs to a seat, beside the name of its player; `seatMark`, where a board does not say. */
    mark?(seat: number, x: number, y: number, r: number): Shape;
    /** How the list of moves shows a ply; `state` is the one after it. */
    notation?(ply: Ply, view: Sight, state: State): string;
    /** What a legal move is called, where that is not its notation. */
    moveName?(move: string, state: State, view: Sight): string;
    /** The move that is meant by what somebody typed, or why it is none of theirs. */
    typedMove?(typed: string, state: State, view: Sight): Answer;
    /** Where a legal move is drawn on the board; none for one that is only a button. */
    tracks?(move: string, state: State, view: View): Track[];
    sounds?: Record<string, string>;
    /** Only games without dice: what `seat` may enter while the other player thinks. */
    premoves?(state: State, seat: number): Premoves;
    held?(cell: string, state: State, view: View): Shape | null;
  }
}

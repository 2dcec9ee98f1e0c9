/** What a page wants of a match, before it is given what every command has; docs/reference/protocol.md says the rest. */

declare namespace Commands {
  /** What waits for its answer, and is sent again until it has one. */
  type Sent = Exclude<Extract<ToMatch.Message, { id: string }>, ToMatch.HintRequest>;
  type AboutPosition = Extract<Sent, { after: number }>;
  type Without<C, Name extends string> = C extends unknown ? Omit<C, Name> : never;

  /** A command about the position that is known when it is given. */
  type Decision = Without<AboutPosition, "id" | "after">;
  /** A command that is about no position. */
  type Wish = Without<Exclude<Sent, AboutPosition>, "id">;
  /** What buttons stand for. */
  type Choice = Decision | Extract<Wish, { type: "rematch" }>;
}

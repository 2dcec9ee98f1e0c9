/** What a server would say a seat may do, as far as tests of pages need it; null for watchers, as in messages. */
export function allowed({ you, turn, ply = 0, outcome = null, halted = null, caretaken = [], offers = [], ...more }) {
  if (you === null) {
    return undefined;
  }
  const bot = caretaken.includes(you);
  const commands = outcome
    ? ["rematch"]
    : [...(turn === you && !halted && !bot ? ["move"] : []), "resign", "decline", ...(bot ? ["reclaim"] : [])];
  const offer = outcome || bot ? [] : halted ? ["resume"] : ["draw"];
  const agree = offers.filter(({ by }) => by !== you).map(({ kind }) => kind);
  return { commands: ply === 0 ? [...commands, "words"] : commands, offer, agree, claim: [], ...more };
}

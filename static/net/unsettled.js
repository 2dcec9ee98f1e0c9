/** Codes of refusals that are temporary: the same command is sent again. */
export const UNSETTLED = new Set(["unavailable"]);

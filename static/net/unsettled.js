/** Refusals that settle nothing, by their codes: the same command is sent again. */
export const UNSETTLED = new Set(["unavailable"]);

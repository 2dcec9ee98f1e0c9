// @ts-check
/**
 * Recomputes every throw of a finished match in the user's browser.
 *
 * The format "parlour-dice-1" is described byte by byte in games/domain/dice.py. It returns codes, which the page puts
 * into sentences. `crypto.subtle` exists on https and localhost only.
 *
 * @typedef {{ply: number, count: number, sides: number, faces: number[]}} Throw
 * @typedef {{format: string, match: string, game: string, words: string[], secret: string, commitment: string, throws:
 *   Throw[]}} Sealed
 * @typedef {{code: "shape"|"secret"|"promise"|"noted", ply?: undefined} | {code: "order", ply: number} | {code:
 *   "faces", ply: number, faces: number[], expected: number[]}} Problem
 */

export const FORMAT = "parlour-dice-1";

const MOST_SIDES = 256;
const MOST_DICE = 1000;
const MOST_NUMBER = 2 ** 32 - 1;
const SHA256 = { name: "SHA-256" };
const HMAC = { name: "HMAC", hash: SHA256.name };
const utf8 = new TextEncoder();

/**
 * The SHA-256 of a secret, in hexadecimal: what the server published before the first ply.
 * @param {string} secret
 */
export async function commitment(secret) {
  const digest = new Uint8Array(await crypto.subtle.digest(SHA256, utf8.encode(secret)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The faces that a throw must show (HMAC of seeds and ply).
 * @param {string} secret
 * @param {string[]} words the client seeds by seat
 * @param {string} match
 * @param {number} ply the number of the ply that records the throw, from 1
 * @param {{count: number, sides: number}} dice
 * @returns {Promise<number[]>}
 */
export async function throwDice(secret, words, match, ply, dice) {
  const key = await crypto.subtle.importKey("raw", utf8.encode(secret), HMAC, false, ["sign"]);
  const message = [
    ...field(FORMAT),
    ...field(match),
    ...u32(words.length),
    ...words.flatMap(field),
    ...u32(ply),
    ...u32(dice.count),
    ...u32(dice.sides),
  ];
  const fair = MOST_SIDES - (MOST_SIDES % dice.sides);
  /** @type {number[]} */
  const faces = [];
  for (let block = 0; faces.length < dice.count; block += 1) {
    const bytes = await crypto.subtle.sign(HMAC, key, new Uint8Array([...message, ...u32(block)]));
    for (const byte of new Uint8Array(bytes)) {
      // Reject bytes above the last whole multiple: they would favour low faces.
      if (byte < fair) faces.push((byte % dice.sides) + 1);
    }
  }
  return faces.slice(0, dice.count);
}

/**
 * The problems of a sealed file; empty if it is valid.
 * @param {any} sealed the file, as parsed from JSON
 * @param {string} [noted] the commitment noted before the first throw
 * @returns {Promise<Problem[]>}
 */
export async function check(sealed, noted) {
  if (!isSealed(sealed)) return [{ code: "shape" }];
  /** @type {Problem[]} */
  const problems = [];
  if (!/^[0-9a-f]{64}$/.test(sealed.secret)) problems.push({ code: "secret" });
  if ((await commitment(sealed.secret)) !== sealed.commitment) problems.push({ code: "promise" });
  if (noted !== undefined && noted.trim().toLowerCase() !== sealed.commitment) problems.push({ code: "noted" });
  let before = 0;
  for (const { ply, count, sides, faces } of sealed.throws) {
    if (ply <= before) problems.push({ code: "order", ply });
    before = ply;
    const expected = await throwDice(sealed.secret, sealed.words, sealed.match, ply, { count, sides });
    if (String(faces) !== String(expected)) problems.push({ code: "faces", ply, faces, expected });
  }
  return problems;
}

/** @param {any} value @returns {value is Sealed} */
function isSealed(value) {
  return (
    value?.format === FORMAT &&
    isText(value.match) &&
    isText(value.secret) &&
    isText(value.commitment) &&
    Array.isArray(value.words) &&
    value.words.every(isText) &&
    Array.isArray(value.throws) &&
    value.throws.every(isThrow)
  );
}

/** @param {any} value */
function isThrow(value) {
  return (
    isNumber(value?.ply, 1, MOST_NUMBER) &&
    isNumber(value.count, 1, MOST_DICE) &&
    isNumber(value.sides, 1, MOST_SIDES) &&
    Array.isArray(value.faces) &&
    value.faces.every(Number.isInteger)
  );
}

/** Whether a text can be encoded as UTF-8: no lone surrogates. @param {any} value */
function isText(value) {
  return typeof value === "string" && !/\p{Surrogate}/u.test(value);
}

/** @param {any} value @param {number} least @param {number} most */
function isNumber(value, least, most) {
  return Number.isInteger(value) && value >= least && value <= most;
}

/** A text prefixed by its length in bytes. @param {string} text @returns {number[]} */
function field(text) {
  const bytes = utf8.encode(text);
  return [...u32(bytes.length), ...bytes];
}

/** Big-endian. @param {number} number @returns {number[]} */
function u32(number) {
  return [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255];
}

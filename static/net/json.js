/** Requests of a page to its own site that are answered by JSON. */

/**
 * What came of a request: the JSON of the response, null if there is none, and the status, 0 without a response.
 *
 * @typedef {{ok: boolean, status: number, told: any}} Answer
 */

/** The current CSRF token, "" if there is none. */
export function csrfToken() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
}

/**
 * Ask for JSON. It never rejects.
 *
 * @param {string} address
 * @param {RequestInit & {headers?: Record<string, string>}} [options]
 * @returns {Promise<Answer>}
 */
export async function getJson(address, { headers = {}, ...options } = {}) {
  const answer = await fetch(address, { headers: { Accept: "application/json", ...headers }, ...options }).catch(() => null);
  const told = await answer?.json().catch(() => null);
  return { ok: answer?.ok ?? false, status: answer?.status ?? 0, told: told ?? null };
}

/**
 * Send something with the CSRF token. It never rejects.
 *
 * @param {string} address
 * @param {BodyInit} [body]
 * @param {Record<string, string>} [headers]
 */
export function postJson(address, body, headers = {}) {
  return getJson(address, { method: "POST", body, headers: { "X-CSRFToken": csrfToken(), ...headers } });
}

/**
 * Ask for lines of JSON, of which each is taken as it comes. It never rejects.
 *
 * @param {string} address
 * @param {(told: any) => void} onLine
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>} the last line, or why there is none
 */
export async function getLines(address, onLine, signal) {
  const answer = await fetch(address, { headers: { Accept: "application/json" }, signal }).catch(() => null);
  if (!answer?.ok || !answer.body) {
    return { ok: false, status: answer?.status ?? 0, told: (await answer?.json().catch(() => null)) ?? null };
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let [told, rest] = [null, ""];
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        told = JSON.parse(line);
        onLine(told);
      }
    }
  } catch {
    // The connection was lost, or the page does not want any more.
  }
  return { ok: told !== null, status: answer.status, told };
}

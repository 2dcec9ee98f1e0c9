/**
 * Forms with a passkey: before one is sent, the browser creates a passkey or signs with it. Browsers do so on https and
 * localhost, and at host names only.
 */

import "./page.js";
import { find, findAll, part } from "../parts/elements.js";
import { guardForms, renewToken } from "../forms/forms.js";

/* global gettext */

/** The ceremony of a form, by its `data-passkey`. @type {Record<string, (options: any) => Promise<unknown>>} */
const CEREMONIES = {
  create: async ({ publicKey }) => {
    const selection = { ...publicKey.authenticatorSelection, residentKey: "required", requireResidentKey: true };
    const wanted = { ...publicKey, authenticatorSelection: { ...selection, userVerification: "required" } };
    return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(wanted) });
  },
  get: async ({ publicKey }) =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) }),
};

/** The server's challenge: on the page, or fetched now, so that it has not expired. @param {HTMLFormElement} form */
async function optionsOf(form) {
  const given = form.querySelector("#passkey-options");
  if (given) {
    return JSON.parse(given.textContent ?? "");
  }
  const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
  if (!answer.ok) {
    throw new Error(`${answer.status}`);
  }
  return (await answer.json()).request_options;
}

/** @param {HTMLFormElement} form */
async function proceed(form) {
  const ceremony = CEREMONIES[form.dataset.passkey ?? ""];
  const credential = ceremony && (await ceremony(await optionsOf(form)));
  find(form, "[name=credential]", HTMLInputElement).value = JSON.stringify(credential);
  renewToken(form);
  form.submit();
}

/** @param {HTMLFormElement} form @param {unknown} error */
function tell(form, error) {
  const refused = error instanceof DOMException && error.name === "NotAllowedError";
  const trouble = part(form, "trouble");
  trouble.textContent = refused
    ? gettext("No passkey was used. You can try again.")
    : gettext("This browser has no passkeys for this address.");
  trouble.hidden = false;
}

for (const form of findAll(document, "form[data-passkey]", HTMLFormElement)) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // The form is sent after the ceremony, and can be tried again if that fails.
    event.stopPropagation();
    proceed(form).catch((error) => tell(form, error));
  });
}
guardForms();

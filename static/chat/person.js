/** The dialog about somebody who said something: their profile, mute, block, report. */

/* global gettext */

/** @param {HTMLDialogElement} dialog */
export function personDialog(dialog) {
  const part = (name) => dialog.querySelector(`[data-part="${name}"]`);
  const form = part("report");
  let line = null;

  for (const button of dialog.querySelectorAll("[data-act]")) {
    button.addEventListener("click", async () => {
      const answer = await post(`/people/${line.name}/${button.dataset.act}`, {});
      if (answer.ok) {
        dialog.close();
      } else {
        say(answer);
      }
    });
  }
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    // Other listeners would take it for a form that leaves the page.
    event.stopPropagation();
    const reason = form.querySelector("textarea");
    const answer = await post(`/people/${line.name}/report`, { line: line.id, reason: reason.value });
    form.hidden = answer.ok;
    say(answer);
  });

  function say({ ok, sentence }) {
    const answer = part("answer");
    answer.classList.toggle("notice-error", !ok);
    answer.hidden = false;
    answer.textContent = sentence;
  }

  /** @param {import("./lines.js").Line} about */
  return function open(about) {
    line = about;
    dialog.querySelector("h2").textContent = line.name;
    part("quote").textContent = line.text;
    part("profile").href = `/@/${line.name}`;
    if (form) {
      form.hidden = false;
      form.querySelector("textarea").value = "";
      part("answer").hidden = true;
    }
    dialog.showModal();
  };
}

/** Send a form; what became of it, with a sentence for people. */
async function post(address, fields) {
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { Accept: "application/json", "X-CSRFToken": token },
      body: new URLSearchParams(fields),
    });
    const told = await answer.json();
    return { ok: answer.ok, sentence: told.said ?? told.detail };
  } catch {
    return { ok: false, sentence: gettext("That did not work. Please try again in a moment.") };
  }
}

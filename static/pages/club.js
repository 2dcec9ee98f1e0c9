/** The page of a club. */

import "./page.js";
import { openClubChat } from "../chat/club-chat.js";
import { guardForms } from "../forms/forms.js";
import { showLocalTimes } from "../parts/local-times.js";
import { setting } from "../parts/settings.js";

guardForms();
showLocalTimes(document);
const talk = document.getElementById("chat");
// Sites and users may switch the chat off.
if (talk && setting("chat") !== "nobody") {
  openClubChat(talk);
}

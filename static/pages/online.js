/** The page of online users: the list is refetched while the page is visible. */

import "./page.js";
import { renew } from "../lobby/online.js";

const SECONDS = 10;

setInterval(() => {
  if (!document.hidden) {
    renew();
  }
}, SECONDS * 1000);

/** The page of people online: the list is asked for again while somebody looks at it. */

import "./page.js";
import { renew } from "../lobby/online.js";

const SECONDS = 10;

setInterval(() => {
  if (!document.hidden) {
    renew();
  }
}, SECONDS * 1000);

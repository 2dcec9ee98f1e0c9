/** The page of online users: the list is refetched while the page is visible. */

import "./page.js";
import { refreshLive } from "../parts/refresh.js";

const SECONDS = 10;

setInterval(() => document.hidden || refreshLive(), SECONDS * 1000);

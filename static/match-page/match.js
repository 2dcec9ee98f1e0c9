/** The match page put together: socket, store, board, and everything around the board. */

import { createActions } from "./actions.js";
import { createAround, createNotice } from "./around.js";
import { createBanner } from "../net/banner.js";
import { Board } from "../board/board.js";
import { createClockFaces } from "./clock-faces.js";
import { clockWords, createServerTime } from "../match/clock.js";
import { bindCommandBox } from "./commandbox.js";
import { thinking } from "../match/computers.js";
import { createConfirm } from "./confirm.js";
import { bindHint, hintedMove } from "./hint.js";
import { MoveList } from "./movelist.js";
import { createNarration } from "../parts/narration.js";
import { bindOdds } from "./odds.js";
import { declined } from "../match/offers.js";
import { freshId, openOutbox, sessionStorageOrNull } from "../net/outbox.js";
import { bindOwnWords, myWords } from "./own-words.js";
import { lastingStorageOrNull, notePromise } from "../dice/promise.js";
import { rematchLook } from "../match/rematch.js";
import { createReplayBar } from "./replay-bar.js";
import { setting } from "../parts/settings.js";
import { bindCopy, bindShare } from "../parts/share.js";
import { openSocket, socketUrl } from "../net/socket.js";
import { createSounds } from "../parts/sound.js";
import { createStore, knownAfter, shownPly } from "../match/store.js";
import { createCommands, news, whereabouts } from "./telling.js";
import { bindWatchers } from "./watchers.js";
import { blockedWords, headline, namesOf, viewOf } from "../match/words.js";

/* global gettext */

const id = (name) => document.getElementById(name);
const root = id("match");

const playSound = createSounds(() => setting("sound") === "on");
const outbox = openOutbox(`parlour:outbox:${root.dataset.match}`, sessionStorageOrNull());
const store = createStore({ ask: (after) => socket.send({ type: "sync", after }) });
const narration = createNarration({ now: id("say-now"), soon: id("say-soon") });
const notice = createNotice(id("notice"), idleWords);
const showBanner = createBanner(id("banner"));
const serverTime = createServerTime(() => performance.now());
const socket = openSocket({
  url: socketUrl(root.dataset.socket, location),
  outbox,
  onMessage(message) {
    serverTime.hear(message);
    if (message.type === "probe") {
      socket.send(message);
    } else {
      store.dispatch(message);
    }
  },
  onStatus(status) {
    showBanner(status);
    notice.rest();
  },
});
outbox.all().forEach((command) => store.dispatch({ type: "sent", command }));

/** What becomes of a command that cannot be sent now; else what is said of a rematch. */
function idleWords() {
  if (!socket.open && store.get().pending.length > 0) {
    return gettext("Your move is kept and will be sent.");
  }
  return store.get().match ? rematchLook(store.get()).note : "";
}

begin(await import(root.dataset.board));

function begin(module) {
  let turnedBy = 0;
  let lowBefore = false;
  let toldOfThinking = false;
  const view = () => viewOf(store.get(), turnedBy);

  /** How a move is called where it can be pressed. */
  function labelOf(move) {
    const { live } = store.get();
    return module.controls(live.state, view()).find((control) => control.move === move)?.label ?? move;
  }

  // Commands

  function command(fields) {
    const made = { ...fields, id: freshId() };
    store.dispatch({ type: "sent", command: made });
    socket.command(made);
  }

  /** A command about the position that is known now. */
  const decide = (fields) => command({ ...fields, after: store.get().live.ply });

  const waiting = () => store.get().pending.find(({ type }) => type === "move")?.move ?? null;

  function play(move) {
    const blocked = blockedWords(store.get());
    if (blocked || waiting() !== null) {
      notice.refuse(blocked ?? gettext("Your move is on its way."));
    } else {
      confirm.propose(move);
    }
  }

  const confirm = createConfirm(id("confirm"), {
    wanted: () => setting("confirm") === "on",
    onMove: (move) => decide({ type: "move", move }),
    onDrop: () => show(store.get(), false),
  });

  /** A browser whose player gives the dice no words of their own gives them random ones. */
  function addWords(now) {
    if (myWords(now) === "" && !now.pending.some(({ type }) => type === "words")) {
      command({ type: "words", words: freshId() });
    }
  }

  // The page

  const moves = new MoveList(
    {
      list: id("moves"),
      buttons: { first: id("first"), previous: id("previous"), next: id("next"), last: id("last") },
      live: id("live"),
    },
    (to) => store.dispatch({ type: "step", to }),
  );
  const bar = createReplayBar(id("moves").closest("section"), moves, { ...store, say: narration.soon });
  const addressOf = (match) => location.pathname.replace(root.dataset.match, match);
  const around = createAround(module, { title: root.dataset.title, moves });
  const board = new Board(id("board"), id("controls"), module, {
    onMove: play,
    onRefusal: notice.refuse,
    speed: () => setting("speed"),
    haste: bar.haste,
    onShown(ply) {
      root.dataset.ply = String(ply);
      around.standing(store.get(), view());
      actions.update(store.get());
      clocks.update(store.get());
      bar.rested();
    },
  });
  const clocks = createClockFaces({ clockOf: around.clockOf, now: serverTime.now, onTurn: clocksTurned });
  const actions = createActions(id("actions"), {
    now: serverTime.now,
    onCommand: (fields) => (fields.type === "rematch" ? command(fields) : decide(fields)),
    onFlip() {
      turnedBy += 1;
      show(store.get(), false);
    },
    say: narration.soon,
    onAsked: () => playSound("request"),
    onLapsed: () => notice.tell(gettext("Your offer was not answered in time.")),
    addressOf,
  });
  bindCommandBox(id("command"), {
    onMove: play,
    commands: {
      ...createCommands(store.get, module, {
        resign: actions.resign,
        clock: () => clockWords(store.get().match.clock, store.get().clocks, namesOf(store.get()), serverTime.now()),
        now: serverTime.now,
        send: decide,
      }),
      hint: () => blockedWords(store.get()) ?? hint.ask() ?? "",
    },
    onAnswer: (words) => {
      id("answer").textContent = words;
    },
  });
  bindShare(id("share"), narration.soon);
  if (id("embed-code")) {
    bindCopy(id("embed-code"), narration.soon);
  }
  const showWatchers = bindWatchers(
    { number: id("watchers"), list: id("watching"), toggle: id("hide-crowd") },
    (hidden) => command({ type: "hide-crowd", hidden }),
  );
  // These two parts are on the pages of some games only.
  const showOdds = id("odds") && bindOdds(id("odds"), () => socket.send({ type: "odds" }));
  const hint = bindHint(id("hint"), { send: (request) => socket.send(request), store, labelOf });
  const showWords = id("own-words") && bindOwnWords(id("own-words"), (words) => command({ type: "words", words }));
  document.addEventListener("keydown", onKey);
  store.subscribe(changed);
  if (store.get().match) {
    changed(store.get(), store.get(), { type: "snapshot" });
  }

  // Changes

  function changed(now, before, message) {
    if (!now.match) {
      return;
    }
    const arrived = now.live.ply > before.live.ply;
    const step = message.type === "step";
    bar.update(now, message);
    id("score-links").hidden = !now.live.outcome;
    if (now.refusal !== before.refusal) {
      notice.refuse(now.refusal.detail);
    } else if (arrived || ["pending", "offered", "rematch"].some((part) => now[part] !== before[part])) {
      notice.rest();
    } else if (message.type === "offers" && declined(before, now, serverTime.now())) {
      notice.tell(gettext("Your offer was declined."));
    }
    if (arrived || step) {
      confirm.drop();
    }
    if (arrived && before.live.ply >= 0) {
      playSound("move");
      narration.now(news(now, before, module, view()));
    }
    if (step) {
      narration.soon(whereabouts(now, module, view()));
    }
    tellOfThinking(now);
    show(now, step && Math.abs(shownPly(now) - shownPly(before)) > 1);
    showWatchers(now);
    showOdds?.(now);
    hint.update(now, message);
    showWords?.(now);
    addWords(now);
    keepPromise(now);
    followRematch(now, before);
  }

  /** Once: from then on one knows why one waits, and hears the move when it comes. */
  function tellOfThinking(now) {
    if (!toldOfThinking && thinking(now) !== null) {
      toldOfThinking = true;
      narration.soon(`${headline(now)}.`);
    }
  }

  /** Another clock runs, or one is low now, which I hear of mine. */
  function clocksTurned(standings) {
    const mine = standings[store.get().you];
    if (mine?.low && !lowBefore) {
      playSound("low-time");
    }
    lowBefore = Boolean(mine?.low);
    around.clocks(standings);
    if (!board.moving && around.clockOf(0)) {
      around.standing(store.get(), view());
    }
  }

  function show(now, leap) {
    root.removeAttribute("data-loading");
    root.toggleAttribute("data-in-play", now.you !== null && !now.live.outcome);
    root.toggleAttribute("data-plays", now.you !== null);
    around.passing(now, view());
    board.update(
      {
        ply: shownPly(now),
        at: (number) => knownAfter(store.get(), number),
        view: view(),
        waiting: waiting(),
        hint: hintedMove(now),
        blocked: blockedWords(now),
      },
      leap,
    );
    clocks.update(now);
  }

  /** The page that checks the dice compares what was promised while the match was played. */
  function keepPromise({ match, live }) {
    if (match.dice?.commitment && !live.outcome) {
      notePromise(lastingStorageOrNull(), match.id, match.dice.commitment);
    }
  }

  /** Who asked for the rematch is taken there; everyone else finds a link. */
  function followRematch(now, before) {
    const begun = now.rematch && !before.rematch && before.match;
    if (begun && now.you !== null && now.offered.includes(now.you)) {
      location.assign(addressOf(now.rematch));
    }
  }

  /** Keys that work anywhere on the page where nobody is typing. */
  function onKey(event) {
    const busy = event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented;
    if (busy || event.target.closest?.("input, textarea, select, dialog")) {
      return;
    }
    const stepped = event.key.startsWith("Arrow") && moves.key(event.key);
    if (stepped || actions.hotkey(event.key.toLowerCase()) || hint.hotkey(event.key) || board.hotkey(event.key.toLowerCase())) {
      event.preventDefault();
    }
  }
}

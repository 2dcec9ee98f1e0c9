/** Short, warm sounds, synthesised: nothing is loaded. */

/**
 * The tones of each sound. A tone begins after `after` seconds, lasts `seconds` and slides between two pitches in
 * hertz; `loud` is its share of the volume.
 *
 * @typedef {{type: OscillatorType, from: number, to: number, after: number, seconds: number, loud: number}} Tone
 * @typedef {keyof typeof SOUNDS} Name
 */

/** As of wood on wood. @param {number} from @param {number} to @param {number} [after] @param {number} [seconds] @param {number} [loud] @returns {Tone} */
const knock = (from, to, after = 0, seconds = 0.14, loud = 1) => ({ type: "triangle", from, to, after, seconds, loud });

/** As of a small bell. @param {number} pitch @param {number} [after] @param {number} [seconds] @param {number} [loud] @returns {Tone} */
const bell = (pitch, after = 0, seconds = 0.2, loud = 0.8) => ({ type: "sine", from: pitch, to: pitch, after, seconds, loud });

/** All sounds; docs/guide/new-game.md lists those that a board may name. */
export const SOUNDS = Object.freeze({
  // Events on boards
  place: [knock(330, 196)],
  seed: [knock(520, 340, 0, 0.07, 0.7)],
  slide: [{ type: /** @type {const} */ ("sine"), from: 196, to: 262, after: 0, seconds: 0.2, loud: 0.7 }],
  capture: [knock(392, 262, 0, 0.12), knock(262, 165, 0.1, 0.2)],
  mill: [bell(392), bell(494, 0.09), bell(587, 0.18, 0.34)],
  dice: [knock(300, 210, 0, 0.05), knock(250, 180, 0.06, 0.05), knock(320, 220, 0.13, 0.05), knock(230, 170, 0.21, 0.05), knock(190, 130, 0.31, 0.1)],
  climb: [{ type: /** @type {const} */ ("triangle"), from: 262, to: 349, after: 0, seconds: 0.16, loud: 0.8 }],
  bust: [knock(247, 165, 0, 0.24), knock(165, 82, 0.2, 0.42)],
  bank: [bell(330), bell(440, 0.1, 0.26)],
  claim: [bell(330), bell(415, 0.1), bell(494, 0.2, 0.32)],
  again: [bell(494, 0, 0.1, 0.6), bell(587, 0.08, 0.16, 0.6)],
  pass: [knock(175, 147, 0, 0.12, 0.5)],
  leave: [knock(220, 131, 0, 0.3, 0.7)],
  // Events that concern me
  "your-turn": [bell(440, 0, 0.18), bell(554, 0.12, 0.28)],
  "low-time": [bell(587, 0, 0.12), bell(587, 0.18, 0.12)],
  request: [knock(523, 523, 0, 0.16), knock(659, 659, 0.14, 0.22)],
  knock: [knock(150, 92, 0, 0.1), knock(150, 92, 0.16, 0.1), knock(165, 98, 0.32, 0.12)],
  win: [bell(262), bell(330, 0.12), bell(392, 0.24), bell(523, 0.36, 0.5)],
  end: [bell(330, 0, 0.26), bell(262, 0.18, 0.4)],
});

/** The volume of each setting. @type {Record<string, number>} */
export const VOLUMES = Object.freeze({ soft: 0.08, normal: 0.2, loud: 0.36 });
const SILENT = 0.0001;
const ATTACK = 0.006;
/** Low-pass filter in hertz: the edges of tones would be shrill. */
const WARM = 2_000;

/** The sounds of events that every game has. @type {Record<string, Name>} */
const COMMON = { left: "leave" };

/**
 * The sound of an event on a board.
 *
 * @param {{sounds?: Record<string, string>}} board the board module; without a table it has the default sound
 * @param {string} kind of the event
 * @returns {Name}
 */
export function soundOf({ sounds = {} }, kind) {
  const name = sounds[kind] ?? COMMON[kind] ?? "place";
  return isSound(name) ? name : "place";
}

/** @param {string} name @returns {name is Name} */
export const isSound = (name) => name in SOUNDS;

/**
 * @param {object} way
 * @param {() => boolean} way.wanted
 * @param {() => number} [way.volume]
 * @param {Partial<Pick<typeof globalThis, "navigator"|"AudioContext">>} [world] the audio environment
 * @returns {(name: Name, after?: number) => void} plays a sound after `after` seconds
 */
export function createSounds({ wanted, volume = () => VOLUMES.normal }, world = globalThis) {
  /** @type {{context: AudioContext, out: AudioNode}|null} */
  let speaker = null;
  return (name, after = 0) => {
    // Browsers block sound before the first user gesture, with a warning on the console.
    if (!wanted() || !world.navigator?.userActivation?.hasBeenActive || !world.AudioContext) {
      return;
    }
    const { context, out } = (speaker ??= createSpeaker(new world.AudioContext()));
    context.resume();
    SOUNDS[name].forEach((tone) => sound(context, out, { ...tone, after: tone.after + after }, volume() * tone.loud));
  };
}

/** @param {AudioContext} context */
function createSpeaker(context) {
  const out = context.createBiquadFilter();
  out.type = "lowpass";
  out.frequency.setValueAtTime(WARM, context.currentTime);
  out.connect(context.destination);
  return { context, out };
}

/** @param {AudioContext} context @param {AudioNode} out @param {Tone} tone @param {number} loud */
function sound(context, out, { type, from, to, after, seconds }, loud) {
  const begin = context.currentTime + after;
  const tone = context.createOscillator();
  tone.type = type;
  tone.frequency.setValueAtTime(from, begin);
  tone.frequency.exponentialRampToValueAtTime(to, begin + seconds);
  const volume = context.createGain();
  volume.gain.setValueAtTime(SILENT, begin);
  volume.gain.exponentialRampToValueAtTime(loud, begin + ATTACK);
  volume.gain.exponentialRampToValueAtTime(SILENT, begin + seconds);
  tone.connect(volume).connect(out);
  tone.start(begin);
  tone.stop(begin + seconds);
}

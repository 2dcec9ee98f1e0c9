/** Short sounds, made on the spot: nothing is loaded. Who has not switched them on hears none. */

/**
 * What each sound is made of. A tone begins `after` seconds, lasts `seconds` and slides from one pitch to
 * another, both in hertz.
 *
 * @typedef {{type: OscillatorType, from: number, to: number, after: number, seconds: number}} Tone
 * @satisfies {Record<string, Tone[]>}
 */
const SOUNDS = {
  // As of wood on wood.
  move: [{ type: "triangle", from: 330, to: 196, after: 0, seconds: 0.14 }],
  // A question from across the board.
  request: [
    { type: "triangle", from: 523, to: 523, after: 0, seconds: 0.16 },
    { type: "triangle", from: 659, to: 659, after: 0.14, seconds: 0.22 },
  ],
  "low-time": [
    { type: "sine", from: 880, to: 880, after: 0, seconds: 0.12 },
    { type: "sine", from: 880, to: 880, after: 0.18, seconds: 0.12 },
  ],
};
const VOLUME = 0.2;
const SILENT = 0.0001;
const ATTACK = 0.006;

/**
 * @param {() => boolean} wanted
 * @param {Partial<Pick<typeof globalThis, "navigator"|"AudioContext">>} [world] where sound comes from
 * @returns {(name: keyof typeof SOUNDS) => void} makes a sound
 */
export function createSounds(wanted, world = globalThis) {
  /** @type {AudioContext|null} */
  let context = null;
  return (name) => {
    // Browsers let no page speak before somebody has touched it, and say so on the console.
    if (!wanted() || !world.navigator?.userActivation?.hasBeenActive || !world.AudioContext) {
      return;
    }
    const speaking = (context ??= new world.AudioContext());
    speaking.resume();
    SOUNDS[name].forEach((tone) => sound(speaking, tone));
  };
}

/** @param {AudioContext} context @param {Tone} tone */
function sound(context, { type, from, to, after, seconds }) {
  const begin = context.currentTime + after;
  const tone = context.createOscillator();
  tone.type = type;
  tone.frequency.setValueAtTime(from, begin);
  tone.frequency.exponentialRampToValueAtTime(to, begin + seconds);
  const volume = context.createGain();
  volume.gain.setValueAtTime(SILENT, begin);
  volume.gain.exponentialRampToValueAtTime(VOLUME, begin + ATTACK);
  volume.gain.exponentialRampToValueAtTime(SILENT, begin + seconds);
  tone.connect(volume).connect(context.destination);
  tone.start(begin);
  tone.stop(begin + seconds);
}

/** The sounds of a page in a test: jsdom makes none. */

/**
 * Note the pitches that a page would make heard, in hertz, for a reader who has touched it.
 *
 * @param {any} window
 * @param {number[]} pitches
 */
export function hear(window, pitches) {
  const node = () => ({ connect: (to) => to, gain: param(), frequency: param(), Q: param(), start() {}, stop() {}, type: "" });
  const param = () => ({ value: 0, setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} });
  window.AudioContext = class {
    currentTime = 0;
    destination = node();
    resume() {}
    createGain = node;
    createBiquadFilter = node;
    createOscillator() {
      const tone = node();
      tone.frequency.setValueAtTime = (pitch) => pitches.push(pitch);
      return tone;
    }
  };
  globalThis.AudioContext = window.AudioContext;
  Object.defineProperty(window.navigator, "userActivation", { value: { hasBeenActive: true } });
}

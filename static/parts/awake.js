/** Keeping a phone's screen on while somebody plays: whoever thinks touches nothing for a while. */

/**
 * @param {Pick<Document, "visibilityState"|"addEventListener">} page
 * @param {Partial<Pick<Navigator, "wakeLock">>} device
 * @returns {(wanted: boolean) => Promise<void>} say whether the screen is to stay on, as often as one likes
 */
export function createWakefulness(page = document, device = navigator) {
  /** @type {Promise<WakeLockSentinel>|null} what keeps the screen on, or is asked for */
  let lock = null;
  let wanted = false;

  async function settle() {
    const { wakeLock } = device;
    if (wanted && !lock && wakeLock && page.visibilityState === "visible") {
      lock = wakeLock.request("screen");
      try {
        await lock;
      } catch {
        // The battery is low, or the browser has other reasons: the screen does what it does.
        lock = null;
      }
    } else if (!wanted && lock) {
      const held = lock;
      lock = null;
      await (await held.catch(() => null))?.release();
    }
  }
  page.addEventListener("visibilitychange", () => {
    // Browsers let go of it by themselves while nobody looks.
    lock = page.visibilityState === "visible" ? lock : null;
    settle();
  });
  return (now) => {
    wanted = now;
    return settle();
  };
}

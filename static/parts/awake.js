/** Keeps a phone's screen on during play: a thinking player does not touch it (wake lock). */

/**
 * @param {Pick<Document, "visibilityState"|"addEventListener">} page
 * @param {Partial<Pick<Navigator, "wakeLock">>} device
 * @returns {(wanted: boolean) => Promise<void>} sets whether the screen stays on
 */
export function createWakefulness(page = document, device = navigator) {
  /** @type {Promise<WakeLockSentinel>|null} the wake lock, or its pending request */
  let lock = null;
  let wanted = false;

  async function settle() {
    const { wakeLock } = device;
    if (wanted && !lock && wakeLock && page.visibilityState === "visible") {
      lock = wakeLock.request("screen");
      try {
        await lock;
      } catch {
        // The battery is low, or the browser refuses for other reasons.
        lock = null;
      }
    } else if (!wanted && lock) {
      const held = lock;
      lock = null;
      await (await held.catch(() => null))?.release();
    }
  }
  page.addEventListener("visibilitychange", () => {
    // Browsers release it by themselves in hidden tabs.
    lock = page.visibilityState === "visible" ? lock : null;
    settle();
  });
  return (now) => {
    wanted = now;
    return settle();
  };
}

import assert from "node:assert/strict";
import { test } from "node:test";

const { createWakefulness } = await import("../../../static/parts/awake.js");

/** A page and a device, which count the locks that are held. */
function world(refuses = false) {
  let hear = () => {};
  const here = {
    held: 0,
    page: { visibilityState: "visible", addEventListener: (_type, listener) => (hear = listener) },
    device: { wakeLock: { request } },
    /** As browsers do: what is held is let go of while nobody looks. */
    see(visible) {
      here.page.visibilityState = visible ? "visible" : "hidden";
      here.held = visible ? here.held : 0;
      hear();
    },
  };
  async function request() {
    if (refuses) {
      throw new DOMException("The battery is low.", "NotAllowedError");
    }
    here.held += 1;
    return { release: async () => (here.held -= 1) };
  }
  return here;
}

test("the screen stays on while somebody plays, and no longer", async () => {
  const here = world();
  const awake = createWakefulness(here.page, here.device);
  await awake(true);
  await awake(true);
  assert.equal(here.held, 1);
  await awake(false);
  assert.equal(here.held, 0);
});

test("whoever comes back to the page has it on again", async () => {
  const here = world();
  const awake = createWakefulness(here.page, here.device);
  await awake(true);
  here.see(false);
  assert.equal(here.held, 0);
  here.see(true);
  await awake(true);
  assert.equal(here.held, 1);
});

test("nothing is held for a page out of sight, nor after the game is over", async () => {
  const here = world();
  const awake = createWakefulness(here.page, here.device);
  here.see(false);
  await awake(true);
  assert.equal(here.held, 0);
  await awake(false);
  here.see(true);
  assert.equal(here.held, 0);
});

test("a device that refuses, or has no such thing, is no mistake", async () => {
  const low = world(true);
  await createWakefulness(low.page, low.device)(true);
  await createWakefulness(low.page, {})(true);
  assert.equal(low.held, 0);
});

// What every browser that can play here has, and the oldest Node that runs these tests (18) has not.

import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto;

const missing = {
  with(index, value) {
    return this.map((old, at) => (at === index ? value : old));
  },
  toSorted(compare) {
    return [...this].sort(compare);
  },
  toReversed() {
    return [...this].reverse();
  },
};

for (const [name, value] of Object.entries(missing)) {
  if (!(name in Array.prototype)) {
    Object.defineProperty(Array.prototype, name, { value, configurable: true, writable: true });
  }
}

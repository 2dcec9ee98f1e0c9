/** What browsers have and jsdom has not, as far as pages use it. Nothing is laid out: every box is empty. */

/** @param {any} window @param {{media: string[]}} options the media queries that match */
export function complete(window, { media }) {
  const { Element, HTMLDialogElement, HTMLElement, Event } = window;
  add(HTMLDialogElement.prototype, {
    show() {
      this.open = true;
    },
    showModal() {
      this.open = true;
      this.querySelector("[autofocus], button:not([disabled]), input, a[href]")?.focus();
    },
    close(value) {
      if (this.open) {
        this.open = false;
        this.returnValue = value ?? this.returnValue;
        this.dispatchEvent(new Event("close"));
      }
    },
  });
  add(Element.prototype, {
    checkVisibility() {
      return this.isConnected && !this.closest("[hidden], dialog:not([open]), template");
    },
    animate: () => ({ finished: Promise.resolve(), cancel() {}, finish() {}, pause() {}, play() {} }),
    getAnimations: () => [],
    scrollIntoView() {},
    scrollTo() {},
    setPointerCapture() {},
    releasePointerCapture() {},
    hasPointerCapture: () => false,
  });
  // It is null for what is not rendered, and jsdom renders nothing.
  Object.defineProperty(HTMLElement.prototype, "offsetParent", {
    configurable: true,
    get() {
      return this.checkVisibility() ? this.parentElement : null;
    },
  });
  if (!("formAction" in window.HTMLButtonElement.prototype)) {
    Object.defineProperty(window.HTMLButtonElement.prototype, "formAction", {
      configurable: true,
      get() {
        return new URL(this.getAttribute("formaction") ?? "", this.ownerDocument.URL).href;
      },
    });
  }
  add(window.document, { elementFromPoint: () => null, getAnimations: () => [] });
  if (!("inert" in HTMLElement.prototype)) {
    Object.defineProperty(HTMLElement.prototype, "inert", {
      configurable: true,
      get() {
        return this.hasAttribute("inert");
      },
      set(value) {
        this.toggleAttribute("inert", Boolean(value));
      },
    });
  }
  if (!("innerText" in HTMLElement.prototype)) {
    Object.defineProperty(HTMLElement.prototype, "innerText", {
      configurable: true,
      get() {
        return this.textContent;
      },
      set(value) {
        this.textContent = value;
      },
    });
  }
  const matches = new Set(media);
  const queries = new Map();
  add(window, {
    matchMedia(query) {
      if (!queries.has(query)) {
        const list = new window.EventTarget();
        Object.defineProperties(list, { media: { value: query }, matches: { get: () => matches.has(query) } });
        queries.set(query, list);
      }
      return queries.get(query);
    },
    CSS: { escape: (text) => String(text).replace(/[^\w-]/g, (sign) => `\\${sign}`), supports: () => false },
    scrollTo() {},
  });
  window.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  window.IntersectionObserver = observers(window);
}

/** Observers that are told by a test what is in sight: `window.sight(element, inSight)`. */
function observers(window) {
  const all = new Set();
  window.sight = (target, isIntersecting) => {
    const entry = { target, isIntersecting, intersectionRatio: Number(isIntersecting) };
    [...all].filter(({ seen }) => seen.has(target)).forEach((observer) => observer.told([entry], observer));
  };
  return class {
    seen = new Set();
    constructor(told) {
      this.told = told;
      all.add(this);
    }
    observe(element) {
      this.seen.add(element);
    }
    unobserve(element) {
      this.seen.delete(element);
    }
    disconnect() {
      this.seen.clear();
    }
  };
}

/** @param {object} to @param {object} members those that it has already stay */
function add(to, members) {
  for (const [name, value] of Object.entries(members)) {
    if (!(name in to)) {
      Object.defineProperty(to, name, { value, configurable: true, writable: true });
    }
  }
}

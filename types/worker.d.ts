/** What the service worker uses of its world: the types of TypeScript for workers contradict those for pages. */

declare namespace Phone {
  interface WaitingEvent extends Event {
    waitUntil(work: Promise<unknown>): void;
  }

  interface FetchEvent extends WaitingEvent {
    readonly request: Request;
    readonly preloadResponse: Promise<Response | undefined>;
    respondWith(answer: Promise<Response>): void;
  }

  /** What a page tells the worker: its own version, or that the worker shall take over. */
  type Told = { type: "page"; version: string } | { type: "take-over" };

  interface Worker {
    /** What differs from version to version (`config.install.views`). */
    readonly SHELL: { version: string; offline: string; kept: string[] };
    readonly registration: ServiceWorkerRegistration;
    skipWaiting(): Promise<void>;
    addEventListener(type: "install" | "activate", listener: (event: WaitingEvent) => void): void;
    addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
    addEventListener(type: "message", listener: (event: MessageEvent<Told>) => void): void;
  }
}

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

  /** What the server tells a device (`lobby.notices.told`): a newer word about the same thing replaces an older one. */
  type Notice = { id: string; title: string; text: string; path: string; about: string };

  interface PushEvent extends WaitingEvent {
    readonly data: { json(): Notice } | null;
  }

  interface NotificationEvent extends WaitingEvent {
    readonly notification: Notification;
  }

  /** Chromium's event that the site can be installed. */
  interface InstallPrompt extends Event {
    prompt(): Promise<unknown>;
  }

  interface Page {
    readonly url: string;
    readonly visibilityState: DocumentVisibilityState;
    focus(): Promise<Page>;
  }

  /** What a page tells the worker: its own version, or that the worker shall take over. */
  type Told = { type: "page"; version: string } | { type: "take-over" };

  interface Worker {
    /** What differs from version to version (`config.install.views`). */
    readonly SHELL: { version: string; offline: string; kept: string[]; icon: string };
    readonly registration: ServiceWorkerRegistration;
    readonly clients: {
      matchAll(of: { type: "window"; includeUncontrolled: boolean }): Promise<Page[]>;
      openWindow(address: string): Promise<Page | null>;
    };
    skipWaiting(): Promise<void>;
    addEventListener(type: "push", listener: (event: PushEvent) => void): void;
    addEventListener(type: "notificationclick", listener: (event: NotificationEvent) => void): void;
    addEventListener(type: "install" | "activate", listener: (event: WaitingEvent) => void): void;
    addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
    addEventListener(type: "message", listener: (event: MessageEvent<Told>) => void): void;
  }
}

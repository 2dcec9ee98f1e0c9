/** Files of studies in the browser: saved, and opened without being sent anywhere but to be read. */

import { byId } from "../parts/elements.js";

/* global gettext */

/** @typedef {import("./board.js").Chapter & {title?: string}} Chapter */

/** A study of one chapter. @param {Chapter} chapter */
export const fileOf = (chapter) => ({ format: "parlour-study", version: 1, title: chapter.title, chapters: [chapter] });

/**
 * @param {object} way
 * @param {() => Chapter} way.chapter the one to save
 * @param {(chapter: Chapter) => Promise<string|null>} way.onOpen why it cannot be opened, null if it is
 */
export function bindFiles({ chapter, onOpen }) {
  byId("save-file").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(fileOf(chapter()), null, 1)], { type: "application/json" }));
    link.download = "parlour-study.json";
    link.click();
    URL.revokeObjectURL(link.href);
  });
  const input = byId("open-file", HTMLInputElement);
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    if (file) {
      input.value = "";
      byId("file-problem").textContent = "";
      byId("file-problem").textContent = (await opened(await file.text())) ?? "";
    }
  });

  /** @param {string} text */
  async function opened(text) {
    let study;
    try {
      study = JSON.parse(text);
    } catch {
      study = null;
    }
    const [first] = Array.isArray(study?.chapters) ? study.chapters : [];
    return Array.isArray(first?.nodes) ? onOpen(first) : gettext("This file is not a study.");
  }
}

// A classic script in the head, so that the first paint has the right colours.
{
  const root = document.documentElement;
  const known = { theme: ["light", "dark"], board: ["wood", "paper", "contrast"], speed: ["slow", "normal", "fast", "off"], coordinates: ["on", "off"], chat: ["nobody"] };
  // The renamed values, as in settings.js.
  const renamed = /** @type {Record<string, string>} */ ({ slate: "paper" });
  try {
    // The account's settings come with the page and replace those of this browser.
    for (const [name, value] of Object.entries(JSON.parse(root.dataset.preferences ?? "{}"))) {
      localStorage.setItem(`parlour:${name}`, JSON.stringify(value));
    }
    for (const [name, values] of Object.entries(known)) {
      const stored = JSON.parse(localStorage.getItem(`parlour:${name}`) ?? "null");
      const value = renamed[stored] ?? stored;
      if (values.includes(value)) {
        root.dataset[name] = value;
      }
    }
  } catch {
    // Storage is disabled: the page's own attributes suffice.
  }
}

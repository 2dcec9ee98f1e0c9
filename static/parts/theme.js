// A classic script in the head, so that the page is never painted in the wrong colours first.
{
  const root = document.documentElement;
  const known = { theme: ["light", "dark"], board: ["wood", "paper", "contrast"], speed: ["slow", "normal", "fast", "off"], chat: ["nobody"] };
  // As settings.js reads what was stored under another name.
  const renamed = /** @type {Record<string, string>} */ ({ slate: "paper" });
  try {
    // What an account has set comes with the page and is what this browser goes by from now on.
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
    // Storage is switched off: what the page came with is fine.
  }
}

// A classic script in the head, so that the page is never painted in the wrong theme first.
try {
  const theme = JSON.parse(localStorage.getItem("parlour:theme"));
  if (theme === "light" || theme === "dark") {
    document.documentElement.dataset.theme = theme;
  }
} catch {
  // Storage is switched off: the system's theme is fine.
}

// Sets theme and language on <html> before the first paint, so that a dark page never flashes white.
// A classic script because modules run after the first paint. The keys are those of ui/preferences.js.
(function () {
  const root = document.documentElement;
  const prefix = "scellis/1" + new URL(".", document.baseURI).pathname;
  try {
    const theme = localStorage.getItem(prefix + "theme");
    const language = localStorage.getItem(prefix + "language");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    if (language) root.lang = language;
  } catch {
    // Storage may be refused (private window, sandboxed frame): the system's theme is shown.
  }
})();

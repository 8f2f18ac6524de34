// What a person chose for this page: theme and language. Kept in localStorage where that is allowed.

export const LANGUAGES = { en: "English", de: "Deutsch", tr: "Türkçe" };
export const THEMES = ["auto", "light", "dark"];

/** Names carry the schema number and the base path: two deployments on one host do not share them. */
export const prefix = () => "scellis/1" + new URL(".", document.baseURI).pathname;

function read(name) {
  try {
    return localStorage.getItem(prefix() + name);
  } catch {
    return null; // refused: private window or sandboxed frame
  }
}

function write(name, value) {
  try {
    localStorage.setItem(prefix() + name, value);
  } catch {
    // Refused: the choice holds until the page is closed.
  }
}

/** The language chosen before, else the first of the browser's that we have, else English. */
export function language() {
  const wished = [read("language"), ...(navigator.languages ?? [])];
  for (const tag of wished) {
    const code = tag?.slice(0, 2);
    if (code && Object.hasOwn(LANGUAGES, code)) return code;
  }
  return "en";
}

export function setLanguage(code) {
  write("language", code);
  document.documentElement.lang = code;
}

export function theme() {
  const chosen = read("theme") ?? document.documentElement.dataset.theme;
  return THEMES.includes(chosen) ? chosen : "auto";
}

export function setTheme(name) {
  write("theme", name);
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}

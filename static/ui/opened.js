// Which training is open in this tab: kept in sessionStorage, so that a reload opens it again.

import { prefix } from "./preferences.js";

const name = () => `${prefix()}training`;

/** `given`: {id} of an example or {sml}, or null to forget. */
export function remember(given) {
  try {
    if (given) sessionStorage.setItem(name(), JSON.stringify(given));
    else sessionStorage.removeItem(name());
  } catch {
    // Refused: after a reload the training is opened by hand.
  }
}

/** What `remember` was given last in this tab, or null. */
export function remembered() {
  try {
    const { id, sml } = JSON.parse(sessionStorage.getItem(name())) ?? {};
    if (typeof id === "string") return { id };
    return typeof sml === "string" ? { sml } : null;
  } catch {
    return null; // refused, or not ours
  }
}

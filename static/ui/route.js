// What the address's fragment asks for: a screen of the page, a finished run, or an invitation to a pool.

export const SCREENS = ["start", "run", "train", "pool", "runs", "limits"];

/**
 * `{screen, payload}`: "#/pool" is a screen; "#run=…" is a run's record and "#pool=…" an invitation, both read by
 * Python. Anything else is the start.
 */
export function parse(hash) {
  const text = hash.replace(/^#/, "");
  if (text.startsWith("/")) {
    const screen = text.slice(1);
    return { screen: SCREENS.includes(screen) || screen === "record" ? screen : "start", payload: null };
  }
  if (text.startsWith("run=")) return { screen: "record", payload: text };
  if (text.startsWith("pool=")) return { screen: "pool", payload: text };
  return { screen: "start", payload: null };
}

// Keeping the screen awake while something runs.

import { trains } from "./live.js";

/** Holds the screen awake while a run computes or a model is trained. The lock is lost when the page is hidden and asked for again. */
export function keepAwake(views) {
  if (!navigator.wakeLock) return;
  let wanted = false;
  let lock = null;
  const settle = async () => {
    if (wanted && !lock && !document.hidden) {
      lock = await navigator.wakeLock.request("screen").catch(() => null);
      lock?.addEventListener("release", () => { lock = null; });
      if (!wanted) await lock?.release(); // the run ended meanwhile
    } else if (!wanted && lock) {
      await lock.release();
      lock = null;
    }
  };
  const look = () => {
    const computing = ["running", "verifying"].includes(views.get("run")?.state) || trains(views.get("training"));
    if (computing === wanted) return;
    wanted = computing;
    settle();
  };
  views.on("run", look);
  views.on("training", look);
  document.addEventListener("visibilitychange", settle);
}

// Keeping the screen awake while something runs.

/** Holds the screen awake while a run computes. The lock is lost when the page is hidden and asked for again. */
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
  views.on("run", (run) => {
    const computing = run?.state === "running" || run?.state === "verifying";
    if (computing === wanted) return;
    wanted = computing;
    settle();
  });
  document.addEventListener("visibilitychange", settle);
}

// Whether anybody looks, and keeping the screen awake while something runs.

/** Tells Python when the page is hidden, frozen or left: it checkpoints and gives leases back. */
export function watchVisibility(session) {
  const tell = (hidden) => session.ready && session.call("visibility", { hidden }).catch(() => {});
  document.addEventListener("visibilitychange", () => tell(document.hidden));
  document.addEventListener("freeze", () => tell(true));
  addEventListener("pagehide", () => tell(true));
  addEventListener("pageshow", (event) => event.persisted && tell(false));
}

/** Holds the screen awake while a run computes. The lock is lost when the page is hidden and asked for again. */
export function keepAwake(views) {
  if (!navigator.wakeLock) return;
  let wanted = false;
  let lock = null;
  const settle = async () => {
    if (wanted && !lock && !document.hidden) {
      lock = await navigator.wakeLock.request("screen").catch(() => null);
      lock?.addEventListener("release", () => { lock = null; });
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

// Registers the service worker and says what it has achieved.
//
// state        meaning
// unavailable  no service worker here (private window, plain http on a LAN); the page works while it is online
// installing   the files are being kept
// ready        the page opens without a network
// update       a new version lies ready and is taken when all tabs are closed, or at once by applyUpdate()
// replaced     another tab took the update: this tab still runs the old version and should be reloaded
// failed       the files could not be kept; the page works while it is online

/**
 * `settled` resolves when the boot has ended: a first registration waits for it, so that the boot does not share
 * the line with a second download. `onState({state, reason})` is told each change. Never reloads by itself.
 */
export function keepOffline(settled, onState) {
  const container = navigator.serviceWorker;
  let registration = null;
  let reloadWhenReplaced = false;
  if (!container) {
    onState({ state: "unavailable", reason: isSecureContext ? "browser" : "insecure" });
    return { applyUpdate() {} };
  }

  const hadController = Boolean(container.controller);
  let claimed = hadController;
  container.addEventListener("controllerchange", () => {
    if (reloadWhenReplaced) location.reload();
    else if (claimed) onState({ state: "replaced" });
    claimed = true;
  });
  document.addEventListener("visibilitychange", () => {
    // A tab left open for days asks when somebody looks at it; offline the question just fails.
    if (document.visibilityState === "visible") registration?.update().catch(() => {});
  });

  (hadController ? Promise.resolve() : settled)
    .then(() => container.register(new URL("sw.js", document.baseURI), { updateViaCache: "none" }))
    .then((made) => {
      registration = made;
      if (made.waiting && container.controller) onState({ state: "update" });
      else if (made.active) onState({ state: "ready" });
      if (made.installing) follow(made.installing);
      made.addEventListener("updatefound", () => follow(made.installing));
    })
    .catch((error) => onState({ state: "unavailable", reason: error.name }));

  function follow(worker) {
    const first = !registration.active;
    if (first) onState({ state: "installing" });
    worker.addEventListener("statechange", () => {
      if (worker.state === "installed" && !first) onState({ state: "update" });
      if (worker.state === "activated" && first) onState({ state: "ready" });
      // An update that fails changes nothing: the version at work is whole and stays.
      if (worker.state === "redundant" && first) onState({ state: "failed" });
    });
  }

  return {
    applyUpdate() {
      if (!registration?.waiting) return;
      reloadWhenReplaced = true;
      registration.waiting.postMessage({ type: "SKIP_WAITING" });
    },
  };
}

// Names that one tab at a time holds: a training, the writing of checkpoints. The browser lets go of them with the tab,
// however that ends.

/** Held alone by default: where there are no locks (no secure context) nothing tells of other tabs. */
const UNSHARED = { release() {} };

/** Holds `name`; resolves to {release()}, or to undefined where another holds it. */
export const claim = (name) => request(name, { ifAvailable: true });

/** As `turn` without its stop, but held together with others who share `name`. */
export const share = (name) => request(name, { mode: "shared" });

/** {held, stop()}: `held` resolves to {release()} once nobody else holds `name`; `stop` gives it up, held or not. */
export function turn(name) {
  const waiting = new AbortController();
  const held = request(name, { signal: waiting.signal });
  const stop = () => {
    held.then(({ release }) => release(), () => {}); // what is given up is no fault
    waiting.abort();
  };
  return { held, stop };
}

function request(name, options) {
  if (!navigator.locks) return Promise.resolve(UNSHARED);
  return new Promise((resolve, reject) => {
    const held = (lock) => (lock ? new Promise((release) => resolve({ release })) : resolve());
    navigator.locks.request(name, options, held).catch(reject);
  });
}

/** The names that start with `prefix` and are held by any tab. */
export async function claimed(prefix) {
  const { held } = (await navigator.locks?.query()) ?? { held: [] };
  return held.map(({ name }) => name).filter((name) => name.startsWith(prefix));
}

// Names that one tab at a time holds: a training, the writing of checkpoints. The browser lets go of them with the tab,
// however that ends.

/** Held alone by default: where there are no locks (no secure context) nothing tells of other tabs. */
const UNSHARED = { release() {} };

/** Holds `name`; resolves to {release()}, or to null where another holds it and `wait` is false. */
export function claim(name, wait) {
  if (!navigator.locks) return Promise.resolve(UNSHARED);
  return new Promise((resolve, reject) => {
    const held = (lock) => (lock ? new Promise((release) => resolve({ release })) : resolve(null));
    navigator.locks.request(name, { ifAvailable: !wait }, held).catch(reject);
  });
}

/** The names that start with `prefix` and are held by any tab. */
export async function claimed(prefix) {
  const { held } = (await navigator.locks?.query()) ?? { held: [] };
  return held.map(({ name }) => name).filter((name) => name.startsWith(prefix));
}

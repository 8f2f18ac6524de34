// The one cache of this deployment, shared by the service worker and by the first load that fills it.

/**
 * Workbox's own naming, spelled out: the page writes what it has just downloaded and checked where the
 * service worker will look for it, so that nothing is downloaded twice. The scope in the name keeps two
 * deployments on one origin apart. tests/browser/test_offline.py holds this against Workbox itself.
 */
export const CACHE_PREFIX = "scellis";
export const cacheName = (scope) => `${CACHE_PREFIX}-precache-v2-${scope}`;
export const cacheKey = (url, sha256) => {
  const key = new URL(url);
  key.searchParams.set("__WB_REVISION__", sha256);
  return key.href;
};

/** Cache access that never throws: a private window or a full disk means "not cached", not "broken". */
export class Precache {
  #open;

  constructor(scope) {
    this.#open = globalThis.caches ? caches.open(cacheName(scope)).catch(() => null) : Promise.resolve(null);
  }

  async keep(url, sha256, response) {
    try {
      await (await this.#open)?.put(cacheKey(url, sha256), response);
    } catch (error) {
      console.info(`not kept for offline use: ${url} (${error.name})`);
    }
  }

  async forget(url, sha256) {
    try {
      await (await this.#open)?.delete(cacheKey(url, sha256));
    } catch {
      // Nothing was cached, so there is nothing to forget.
    }
  }
}

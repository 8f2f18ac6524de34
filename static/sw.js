// The service worker: the whole site, by content hash, or the version before it.
//
// Workbox installs every file of the manifest or fails: a deploy that is only half there (a file whose hash is not
// the manifest's) leaves the old version at work. Files whose hash is unchanged are kept, not downloaded again.
// A new version waits until the old tabs are gone or a person asks for it: no tab is ever served a mixture.

import { clientsClaim, setCacheNameDetails } from "workbox-core";
import { precacheAndRoute } from "workbox-precaching";

import { CACHE_PREFIX } from "./runtime/precache.js";

setCacheNameDetails({ prefix: CACHE_PREFIX });
clientsClaim(); // the first load, too, opens without a network from now on

self.addEventListener("message", ({ data }) => {
  if (data?.type === "SKIP_WAITING") self.skipWaiting();
});

// Put in by scripts/build: [{url, revision, integrity}].
precacheAndRoute(SCELLIS_MANIFEST, {
  ignoreURLParametersMatching: [/./], // a query never names another file here
  cleanURLs: false,
});

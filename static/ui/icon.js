// The page's own icons: 16-unit strokes, drawn for this page. Decorative: the word beside them says the same.

import { s } from "./dom.js";

const PATHS = {
  // the rail
  start: "M3 7.5 8 3l5 4.5M4.5 6.5V13h7V6.5M8 13v-3",
  run: "M2.5 13.5h11M4 13.5v-3M6.5 13.5v-7M9 13.5v-10M11.5 13.5v-5",
  train: "M2.5 2.5v11h11M4.8 4c.6 4.6 2.6 6.8 7.7 7.2",
  pool: "M8 5.5 4 10.5M8 5.5l4 5M5 12h6M8 5.5a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6M3.5 13.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6M12.5 13.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6",
  runs: "M6 4h7.5M6 8h7.5M6 12h7.5M2.5 4h1M2.5 8h1M2.5 12h1",
  limits: "M2.5 11.5a5.5 5.5 0 0 1 11 0zM8 11.5l2.5-3.5M8 6V4.5",
  record: "M4 1.8h5.5L12.5 5v9.2H4zM9.3 2v3.2h3M6 8h4.5M6 10.8h4.5",
  // actions
  play: "M5 3.2v9.6l7.5-4.8z",
  go: "M3 8h10M9 4l4 4-4 4",
  stop: "M4 4h8v8H4z",
  copy: "M5.5 5.5h7.5v8H5.5zM10.5 5.5v-3H3v8h2.5",
  share: "M8 10V2M5 4.8 8 2l3 2.8M3.5 8.5v5h9v-5",
  close: "M4 4l8 8M12 4l-8 8",
  replay: "M3.2 8.5a4.8 4.8 0 1 0 1.4-3.9L3 6.2M3 2.8v3.4h3.4",
  open: "M3 13V3.5h4l1.5 2H13V13z",
  // state shapes
  ready: "M8 13a5 5 0 1 0 0-10 5 5 0 0 0 0 10",
  running: "M8 13a5 5 0 1 0 0-10 5 5 0 0 0 0 10M6.9 5.8v4.4L10.2 8z",
  stopping: "M8 13a5 5 0 1 0 0-10 5 5 0 0 0 0 10M6.3 6.3h3.4v3.4H6.3z",
  interrupted: "M5.5 3.5v9M10.5 3.5v9",
  verifying: "M8 2.5 13.5 8 8 13.5 2.5 8zM8 6v4",
  done: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11M5.5 8.2l1.8 1.8 3.3-3.8",
  failed: "M4.5 4.5l7 7M11.5 4.5l-7 7M5.8 1.8h4.4l4 4v4.4l-4 4H5.8l-4-4V5.8z",
  check: "M3 8.5 6.5 12 13 4.5",
  warn: "M8 2.2 14.5 13.5h-13zM8 6.5v3.2M8 11.4v.4",
  info: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 7.5V11M8 5v.4",
  stale: "M3.5 2.5h9M3.5 13.5h9M4.5 2.5c0 3 3.5 4 3.5 5.5s-3.5 2.5-3.5 5.5M11.5 2.5C11.5 5.5 8 6.5 8 8s3.5 2.5 3.5 5.5",
  // this device and the page
  gpu: "M4 4h8v8H4zM6.5 6.5h3v3h-3zM6 1.8v2M10 1.8v2M6 12.2v2M10 12.2v2M1.8 6h2M1.8 10h2M12.2 6h2M12.2 10h2",
  cpu: "M2.5 3.5h11v7h-11zM5.5 13.5h5M8 10.5v3",
  auto: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 2v12M8 5h3.8M8 8h6M8 11h4.8",
  light: "M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6M8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1",
  dark: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5",
};

/** An icon by name, sized by CSS (`--icon`). */
export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" },
    s("path", { d: PATHS[name] ?? PATHS.info }));
}

/** The page's mark: a seal round a bell. */
export function mark() {
  return s("svg", { class: "mark", viewBox: "0 0 32 32", "aria-hidden": "true", focusable: "false" },
    s("circle", { cx: 16, cy: 16, r: 14 }), s("path", { d: "M6 22.5h3.5c3.5 0 3-13 6.5-13s3 13 6.5 13H26" }));
}

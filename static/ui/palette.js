// The tokens of styles/tokens.css as plain colours, for canvases, which know no CSS variables.

const NAMES = ["surface", "raised", "line", "edge", "text", "muted", "accent", "good", "warn", "bad", "second"];

/** Every token resolved under the theme now shown: `{accent: "rgb(…)", …}`. */
export function palette() {
  const probe = document.createElement("span");
  probe.hidden = true;
  document.body.append(probe);
  const colours = {};
  for (const name of NAMES) {
    probe.style.color = `var(--${name})`;
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colours;
}

/** A colour of the palette with an opacity: "rgb(1, 2, 3)" -> "rgba(1, 2, 3, 0.5)". */
export function fade(colour, opacity) {
  return colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${opacity})`);
}

const listeners = new Set();

/** Calls `redraw` when the theme changes, by the switch or by the system; returns the way to stop. */
export function onTheme(redraw) {
  listeners.add(redraw);
  return () => listeners.delete(redraw);
}

/** Tells every canvas that the colours changed. */
export function themeChanged() {
  for (const redraw of listeners) redraw();
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", themeChanged);

/** Diagonal strokes as a canvas fill: a second sign beside the colour. */
export function hatch(context, colour, ratio = devicePixelRatio) {
  const size = Math.round(6 * ratio);
  const tile = document.createElement("canvas");
  tile.width = tile.height = size;
  const pen = tile.getContext("2d");
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5 * ratio;
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift, size);
    pen.lineTo(shift + size, 0);
  }
  pen.stroke();
  return context.createPattern(tile, "repeat");
}

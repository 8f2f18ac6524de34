// One cell of the shard board: the fill says how far a shard is, the pattern whose it is. Drawn on canvas.

import { fade } from "./palette.js";

/** In the order in which a shard passes them; `refused` last. */
export const STATES = ["queued", "leased", "stale", "committed", "drawn", "batch-checked", "re-executed", "refused"];

/** Patterns by device number; from the eighth device on they repeat, and the history names the device. */
const PATTERNS = ["rising", "falling", "level", "upright", "dots", "grid", "cross"];

const LOOKS = {
  queued: { edge: "edge", fill: 0, pattern: false, alpha: 0.55 },
  leased: { edge: "accent", fill: 0, pattern: true },
  stale: { edge: "warn", fill: 0, pattern: true, alpha: 0.6, dash: true },
  committed: { edge: "accent", fill: 0.5, level: 0.5, pattern: true },
  drawn: { edge: "accent", fill: 0.5, level: 0.5, pattern: true, heavy: true },
  "batch-checked": { edge: "good", fill: 0.3, pattern: true },
  "re-executed": { edge: "good", fill: 1, pattern: false, sign: "check" },
  refused: { edge: "bad", fill: 0.12, pattern: false, sign: "cross" },
};

/** Paints a cell of `size` pixels with its corner at (x, y); `peer` is a device number from 1, or 0. */
export function paintCell(pen, x, y, size, state, peer, colours, opacity = 1) {
  const look = LOOKS[state] ?? LOOKS.queued;
  const colour = colours[look.edge];
  const unit = size / 14;
  pen.save();
  pen.globalAlpha = opacity * (look.alpha ?? 1);
  pen.beginPath();
  pen.rect(x, y, size, size);
  pen.clip();
  if (look.fill) {
    pen.fillStyle = fade(colour, look.fill);
    const height = size * (look.level ?? 1);
    pen.fillRect(x, y + size - height, size, height);
  }
  if (look.pattern && peer > 0) pattern(pen, x, y, size, PATTERNS[(peer - 1) % PATTERNS.length], fade(colour, 0.75), unit);
  pen.strokeStyle = colour;
  pen.lineWidth = Math.max(1, (look.heavy ? 5 : 2) * unit);
  pen.setLineDash(look.dash ? [3 * unit, 2 * unit] : []);
  pen.strokeRect(x, y, size, size); // half of the line is clipped away
  if (look.sign) sign(pen, x, y, size, look.sign, look.fill === 1 ? colours.raised : colour, unit);
  pen.restore();
}

function pattern(pen, x, y, size, name, colour, unit) {
  const step = 4.5 * unit;
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = 1.3 * unit;
  pen.beginPath();
  for (let d = -size; d <= 2 * size; d += step) {
    if (name === "rising") segment(pen, x + d, y + size, x + d + size, y);
    if (name === "falling") segment(pen, x + d, y, x + d + size, y + size);
    if (d < 0 || d > size) continue;
    const middle = d + step / 2;
    if (name === "level" || name === "grid") segment(pen, x, y + middle, x + size, y + middle);
    if (name === "upright" || name === "grid") segment(pen, x + middle, y, x + middle, y + size);
    if (name === "dots") {
      for (let e = step / 2; e < size; e += step) {
        pen.moveTo(x + middle, y + e);
        pen.arc(x + middle, y + e, 1.1 * unit, 0, 2 * Math.PI);
      }
    }
  }
  if (name === "cross") {
    segment(pen, x, y, x + size, y + size);
    segment(pen, x + size, y, x, y + size);
  }
  if (name === "dots") pen.fill();
  else pen.stroke();
}

function sign(pen, x, y, size, name, colour, unit) {
  const at = (px, py) => [x + px * unit, y + py * unit];
  pen.strokeStyle = colour;
  pen.lineWidth = 2 * unit;
  pen.setLineDash([]);
  pen.beginPath();
  if (name === "check") {
    pen.moveTo(...at(3.2, 7.4));
    pen.lineTo(...at(6, 10.2));
    pen.lineTo(...at(10.8, 4.2));
  } else {
    segment(pen, ...at(4, 4), ...at(10, 10));
    segment(pen, ...at(10, 4), ...at(4, 10));
  }
  pen.stroke();
}

function segment(pen, x0, y0, x1, y1) {
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
}

/** A small canvas with one cell, for keys and device lists. */
export function cellSign(state, peer, colours, size = 16) {
  const canvas = document.createElement("canvas");
  canvas.className = "cell-sign";
  canvas.setAttribute("aria-hidden", "true");
  canvas.width = canvas.height = Math.round(size * devicePixelRatio);
  paintCell(canvas.getContext("2d"), 0, 0, canvas.width, state, peer, colours);
  return canvas;
}

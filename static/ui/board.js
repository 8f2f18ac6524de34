// The shard board: one cell a shard, or a block of shards where there are many. One stop of the tab key; arrows walk
// the cells and each is spoken.

import { toBlocks } from "./blocks.js";
import { cellSign, paintCell, STATES } from "./cell.js";
import { h, setAttribute, setText } from "./dom.js";
import { onTheme, palette } from "./palette.js";

/** Columns that divide a run of 640 well; the widest that leaves cells of at least MIN_PITCH is taken. */
const COLUMNS = [8, 10, 16, 20, 32, 40, 64, 80, 128];
const MIN_PITCH = 15;
const MAX_PITCH = 22;
const GAP = 2;
/** Room left of the grid for the number of a row's first shard. */
const GUTTER = 36;
const FADE_MS = 160;
const KEYS = { ArrowRight: () => 1, ArrowLeft: () => -1, ArrowDown: (c) => c, ArrowUp: (c) => -c,
  PageDown: (c) => 4 * c, PageUp: (c) => -4 * c, Home: () => -Infinity, End: () => Infinity };

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Board {
  /** `onSelect(shard)` is told of each cell that is chosen by pointer or key. */
  constructor(ctx, onSelect) {
    this.ctx = ctx;
    this.onSelect = onSelect;
    this.cells = [];
    this.size = 1; // shards in a cell
    this.shards = 0;
    this.counts = {};
    this.before = new Map();
    this.selected = 0; // the cell
    this.chosen = false; // by a person: until then no cell is marked
    this.columns = 40;
    this.pitch = 16;
    this.colours = palette();
    this.canvas = h("canvas", { class: "board-canvas", tabindex: 0, role: "slider", "aria-label": ctx.t("board-label"),
      "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0,
      onkeydown: (event) => this.#key(event), onclick: (event) => this.#point(event),
      onfocus: () => this.#draw(), onblur: () => this.#draw() });
    this.sentence = h("p", { class: "board-sentence" }, "\u00a0");
    this.key = h("ul", { class: "key board-key" });
    this.frame = h("div", { class: "board-frame" }, this.canvas);
    this.element = h("div", { class: "board" }, this.sentence, this.frame, this.key);
    this.observer = new ResizeObserver(() => this.#draw());
    this.observer.observe(this.frame);
    this.forget = onTheme(() => this.#recolour());
    this.#legend();
  }

  /** `board`: {shards, cells: [[count, state, peer_no] …]}; `devices` how many take part. */
  update(board, devices = 0) {
    const { size, shards, counts, cells } = toBlocks(board?.cells ?? []);
    const now = performance.now();
    if (this.cells.length === cells.length && !still()) {
      cells.forEach(([state, peer], i) => {
        const [oldState, oldPeer] = this.cells[i];
        if (state !== oldState || peer !== oldPeer) this.before.set(i, { state: oldState, peer: oldPeer, at: now });
      });
    } else this.before.clear();
    Object.assign(this, { cells, size, shards, counts });
    setAttribute(this.canvas, "aria-valuemax", Math.max(0, shards - 1));
    this.#say(devices);
    this.#value();
    this.#draw();
  }

  select(shard) {
    if (!this.cells.length) return;
    const chosen = Math.min(Math.max(shard, 0), this.shards - 1);
    this.selected = Math.floor(chosen / this.size);
    this.chosen = true;
    this.#value();
    this.#draw();
    this.onSelect(chosen);
  }

  destroy() {
    this.forget();
    this.observer.disconnect();
    this.cells = [];
  }

  #say(devices) {
    const { shards, size, ctx: { t } } = this;
    const [queued, leased, stale, committed, drawn, batch, reexecuted, refused] = STATES.map((state) => this.counts[state] ?? 0);
    const sentences = [t("board-accepted", { accepted: reexecuted + batch, shards, reexecuted, batch })];
    if (leased + committed + drawn) sentences.push(t("board-moving", { leased, waiting: committed + drawn, devices }));
    if (stale) sentences.push(t("board-stale", { stale }));
    if (refused) sentences.push(t("board-refused", { refused }));
    if (queued) sentences.push(t("board-queued", { queued }));
    if (size > 1) sentences.push(t("board-blocks", { size }));
    setText(this.sentence, sentences.join(" "));
  }

  #value() {
    const [state = "queued", peer = 0] = this.cells[this.selected] ?? [];
    const { t } = this.ctx;
    const first = this.selected * this.size;
    const args = { shard: first, last: Math.min(first + this.size, this.shards) - 1, state: t(`cell-${state}`), device: peer };
    const one = peer ? "board-cell-held" : "board-cell";
    const several = peer ? "board-block-held" : "board-block";
    setAttribute(this.canvas, "aria-valuenow", first);
    setAttribute(this.canvas, "aria-valuetext", t(this.size > 1 ? several : one, args));
  }

  #legend() {
    this.key.replaceChildren(...STATES.map((state) =>
      h("li", {}, cellSign(state, 1, this.colours), this.ctx.t(`cell-${state}`))));
  }

  #recolour() {
    this.colours = palette();
    this.#legend();
    this.#draw();
  }

  #key(event) {
    const step = KEYS[event.key]?.(this.columns);
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return; // those are the browser's
    event.preventDefault();
    this.select((this.selected + step) * this.size);
  }

  #point(event) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - GUTTER) / this.pitch);
    const row = Math.floor((event.clientY - box.top) / this.pitch);
    const cell = row * this.columns + column;
    if (column >= 0 && column < this.columns && cell < this.cells.length) this.select(cell * this.size);
  }

  #fit() {
    const width = this.frame.clientWidth - GUTTER;
    if (width <= 0 || !this.cells.length) return false;
    this.columns = COLUMNS.findLast((columns) => width / columns >= MIN_PITCH) ?? COLUMNS[0];
    this.pitch = Math.min(MAX_PITCH, Math.floor(width / this.columns));
    const rows = Math.ceil(this.cells.length / this.columns);
    const size = [GUTTER + this.columns * this.pitch, rows * this.pitch];
    const pixels = size.map((n) => Math.round(n * devicePixelRatio));
    if (this.canvas.width !== pixels[0] || this.canvas.height !== pixels[1]) {
      [this.canvas.width, this.canvas.height] = pixels;
      this.canvas.style.inlineSize = `${size[0]}px`;
      this.canvas.style.blockSize = `${size[1]}px`;
    }
    return true;
  }

  #draw() {
    if (!this.#fit()) return;
    const ratio = devicePixelRatio;
    const pen = this.canvas.getContext("2d");
    const size = (this.pitch - GAP) * ratio;
    const now = performance.now();
    const marked = this.chosen || document.activeElement === this.canvas;
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.#rowNumbers(pen, ratio);
    this.cells.forEach(([state, peer], i) => {
      const x = (GUTTER + (i % this.columns) * this.pitch) * ratio;
      const y = Math.floor(i / this.columns) * this.pitch * ratio;
      const old = this.before.get(i);
      const part = old ? Math.min(1, (now - old.at) / FADE_MS) : 1;
      if (part < 1) paintCell(pen, x, y, size, old.state, old.peer, this.colours, 1 - part);
      else this.before.delete(i);
      paintCell(pen, x, y, size, state, peer, this.colours, part);
      if (i === this.selected && marked) this.#ring(pen, x, y, size, ratio);
    });
    if (this.before.size && !this.frameAsked) {
      this.frameAsked = true;
      requestAnimationFrame(() => { this.frameAsked = false; this.#draw(); });
    }
  }

  #ring(pen, x, y, size, ratio) {
    pen.strokeStyle = this.colours.text;
    pen.lineWidth = 2 * ratio;
    pen.strokeRect(x - ratio, y - ratio, size + 2 * ratio, size + 2 * ratio);
  }

  #rowNumbers(pen, ratio) {
    const { fontFamily } = getComputedStyle(document.body);
    pen.fillStyle = this.colours.muted;
    pen.font = `${12 * ratio}px ${fontFamily}`;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (let row = 0; row * this.columns < this.cells.length; row += 2) {
      pen.fillText(String(row * this.columns * this.size), (GUTTER - 8) * ratio, (row + 0.5) * this.pitch * ratio - GAP);
    }
  }
}

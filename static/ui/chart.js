// One uPlot in its frame: sized by its box, redrawn when the theme changes, described in words for those who see none.

import uPlot from "uplot";
import { h, setAttribute } from "./dom.js";
import { onTheme, palette } from "./palette.js";

export class Chart {
  /**
   * `options(colours)` gives uPlot's options without size and legend; `name` sets the CSS class, and with it the
   * height. Call `set(data)` with uPlot's columns, `describe(text)` with what the picture says.
   */
  constructor(name, options) {
    this.options = options;
    this.plot = null;
    this.data = null;
    this.element = h("div", { class: `chart chart-${name}` });
    this.observer = new ResizeObserver(() => this.#fit());
    this.observer.observe(this.element);
    this.forget = onTheme(() => this.rebuild());
  }

  set(data) {
    this.data = data;
    if (this.plot) this.plot.setData(data);
    else this.#build();
  }

  /** Takes the picture away and keeps its place. */
  clear() {
    this.plot?.destroy();
    this.plot = this.data = null;
    this.describe(null);
  }

  /** What the picture says, in words; null while there is none. */
  describe(text) {
    setAttribute(this.element, "role", text ? "img" : null);
    setAttribute(this.element, "aria-label", text);
  }

  /** Makes the plot anew: other colours, or other options. */
  rebuild() {
    this.plot?.destroy();
    this.plot = null;
    this.#build();
  }

  destroy() {
    this.forget();
    this.observer.disconnect();
    this.plot?.destroy();
    this.plot = null;
  }

  #size() {
    return { width: Math.floor(this.element.clientWidth), height: Math.floor(this.element.clientHeight) };
  }

  #build() {
    const size = this.#size();
    if (!this.data || !size.width || !size.height) return; // not shown yet: the observer comes back
    const shared = { ...size, legend: { show: false }, cursor: { show: false } };
    this.plot = new uPlot({ ...shared, ...this.options(palette()) }, this.data, this.element);
  }

  #fit() {
    const size = this.#size();
    if (!this.plot) this.#build();
    else if (size.width && (size.width !== this.plot.width || size.height !== this.plot.height)) {
      this.plot.setSize(size);
    }
  }
}

/** The font of every plot: the page's own, at its smallest size. */
export function plotFont() {
  const { fontFamily } = getComputedStyle(document.body);
  return `12px ${fontFamily}`;
}

/** Ticks of a logarithmic axis: decades, with 2 and 5 between where there are few. */
export function decades(u, index, low, high) {
  if (!(low > 0 && high < Infinity)) return []; // nothing positive to show
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const between = Math.log10(high / low) < 2 ? [1, 2, 5] : [1];
  const ticks = [];
  for (let power = first; power <= last; power += 1) ticks.push(...between.map((digit) => digit * 10 ** power));
  return ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
}

/** An axis in the page's manner: thin ticks, muted numbers. */
export function axis(colours, more = {}) {
  return {
    stroke: colours.muted, font: plotFont(), labelFont: plotFont(), gap: 4,
    grid: { stroke: colours.line, width: 1 }, ticks: { stroke: colours.line, width: 1, size: 4 },
    ...more,
  };
}

// Numbers as a metrologist writes them: the uncertainty says how many digits the value has.
// Source: GUM (JCGM 100:2008) 7.2.6, at most two significant digits for an uncertainty.

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const PREFIXES = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
/** Thin enough not to part a value from its unit, and never a line break: U+202F. */
const NARROW = "\u202f";
/** Values outside 10⁻⁴…10⁷ are written with a power of ten. */
const PLAIN_EXPONENTS = [-4, 7];

const exponentOf = (x) => Math.floor(Math.log10(Math.abs(x)));

/** The decimal place (negative: tens, hundreds …) that leaves `digits` significant digits of `u`. */
export function decimalsFor(u, digits = 2) {
  if (!(Math.abs(u) > 0) || !Number.isFinite(u)) return 0;
  const decimals = digits - 1 - exponentOf(u);
  // 9.96 rounds to 10: one place fewer, else it would read 10.0 with three digits.
  return exponentOf(roundAt(u, decimals)) > exponentOf(u) ? decimals - 1 : decimals;
}

/** `x` rounded at a decimal place. */
export function roundAt(x, decimals) {
  if (decimals >= 0) return Number(x.toFixed(Math.min(decimals, 100)));
  const step = 10 ** -decimals;
  return Math.round(x / step) * step;
}

/** A superscript integer: -7 -> "⁻⁷". */
export function superscript(n) {
  const digits = [...String(Math.abs(n))].map((d) => SUPERSCRIPTS[Number(d)]).join("");
  return n < 0 ? `⁻${digits}` : digits;
}

export class Measure {
  constructor(language) {
    this.language = language;
    this.decimalMark = new Intl.NumberFormat(language).formatToParts(0.5).find((p) => p.type === "decimal").value;
    // Where the comma is the decimal mark, it cannot also part the ends of an interval.
    this.listMark = this.decimalMark === "," ? ";\u00a0" : ",\u00a0";
  }

  /** A number at a fixed decimal place, with a true minus sign. */
  fixed(x, decimals) {
    const places = Math.min(Math.max(decimals, 0), 20);
    const rounded = roundAt(x, decimals) || 0; // no minus zero
    const text = new Intl.NumberFormat(this.language, {
      minimumFractionDigits: places, maximumFractionDigits: places,
    }).format(rounded);
    return text.replace(/^-/, "−");
  }

  integer(x) {
    return this.fixed(x, 0);
  }

  /** A number alone, to `digits` significant digits. */
  significant(x, digits = 3) {
    if (!Number.isFinite(x)) return "–";
    if (x === 0) return "0";
    const power = this.#powerOf(x, x);
    const scaled = x / 10 ** power;
    return this.fixed(scaled, decimalsFor(scaled, digits)) + this.#factor(power);
  }

  /** `{value, u, text}`: 837.9974, 35.801, "nm" -> text "838 ± 36 nm". */
  estimate(value, u, unit = "") {
    if (!Number.isFinite(value)) return { value: "–", u: "–", text: "–" };
    if (!(u > 0) || !Number.isFinite(u)) {
      const alone = this.significant(value, 4);
      return { value: alone, u: "–", text: alone + this.unit(unit) };
    }
    const power = this.#powerOf(value, u);
    const scale = 10 ** power;
    const decimals = decimalsFor(u / scale);
    const [v, w] = [this.fixed(value / scale, decimals), this.fixed(u / scale, decimals)];
    const core = power ? `(${v} ± ${w})${this.#factor(power)}` : `${v} ± ${w}`;
    return { value: v, u: w, text: core + this.unit(unit) };
  }

  /** A value alone, its digits cut by an uncertainty: 837.9974, 35.801 -> "838". */
  cut(value, u) {
    if (!Number.isFinite(value) || !(u > 0)) return this.significant(value, 4);
    const power = this.#powerOf(value, u);
    return this.fixed(value / 10 ** power, decimalsFor(u / 10 ** power)) + this.#factor(power);
  }

  /** The ends of an interval, cut by the uncertainty `u` of the result: "[745, 932] nm". */
  interval(ends, u, unit = "") {
    if (!ends) return "–";
    const power = this.#powerOf(Math.max(Math.abs(ends[0]), Math.abs(ends[1])), u);
    const scale = 10 ** power;
    const decimals = u > 0 ? decimalsFor(u / scale) : decimalsFor((ends[1] - ends[0]) / scale, 3);
    const body = ends.map((end) => this.fixed(end / scale, decimals)).join(this.listMark);
    return `[${body}]${this.#factor(power)}${this.unit(unit)}`;
  }

  /** A unit after its number; the unit one is not written. */
  unit(unit) {
    return unit && unit !== "1" ? `${NARROW}${unit}` : "";
  }

  /** 3612345 -> "3.61 M": three digits and an SI prefix, for rates. */
  prefixed(x) {
    if (!Number.isFinite(x)) return "–";
    for (const [size, prefix] of PREFIXES) {
      if (x >= size * 0.9995) return `${this.fixed(x / size, decimalsFor(x / size, 3))}${NARROW}${prefix}`;
    }
    return this.fixed(x, x >= 100 ? 0 : 1);
  }

  /** 1821192 -> "1.82 MB", a size of so many bytes. */
  bytes(x) {
    return x < 999.5 ? `${this.fixed(x, 0)}${NARROW}B` : `${this.prefixed(x)}B`;
  }

  /** Numbers along an axis: as many decimals as the step between them needs. */
  ticks(xs) {
    const known = xs.filter((x) => x !== null);
    const step = known.length > 1 ? Math.abs(known[1] - known[0]) : Math.abs(known[0]) || 1;
    const top = Math.max(...known.map(Math.abs), 0);
    if (this.#powerOf(top, 0)) return xs.map((x) => (x === null ? "" : this.significant(x, 2)));
    let decimals = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    const scaled = step * 10 ** decimals;
    if (Math.abs(scaled - Math.round(scaled)) > 1e-6) decimals += 1; // 0.025 takes three places
    return xs.map((x) => (x === null ? "" : this.fixed(x, decimals)));
  }

  /** Counts along an axis: 20000000 -> "20 M". */
  counts(xs) {
    return xs.map((x) => {
      if (x === null) return "";
      const [size, prefix] = PREFIXES.find(([least]) => x >= least) ?? [1, ""];
      const text = new Intl.NumberFormat(this.language, { maximumFractionDigits: 1 }).format(x / size);
      return prefix ? `${text}${NARROW}${prefix}` : text;
    });
  }

  /** The unit of a density: "nm" -> "nm⁻¹", "m/s" -> "(m/s)⁻¹". */
  inverse(unit) {
    return /^[\p{L}°%]+$/u.test(unit) ? `${unit}⁻¹` : `(${unit})⁻¹`;
  }

  #powerOf(value, u) {
    const top = Math.max(Math.abs(value), Math.abs(u) || 0);
    if (!(top > 0) || !Number.isFinite(top)) return 0;
    const exponent = exponentOf(top);
    return exponent < PLAIN_EXPONENTS[0] || exponent >= PLAIN_EXPONENTS[1] ? exponent : 0;
  }

  #factor(power) {
    return power ? `${NARROW}×${NARROW}10${superscript(power)}` : "";
  }
}

/** A span of time as a message: `{id, args}` for the catalogues. */
export function duration(seconds) {
  if (!Number.isFinite(seconds) || seconds < 0) return { id: "duration-unknown", args: {} };
  if (seconds < 1) return { id: "duration-instant", args: {} };
  const whole = Math.round(seconds);
  if (whole < 60) return { id: "duration-seconds", args: { s: whole } };
  if (whole < 3600) return { id: "duration-minutes", args: { min: Math.floor(whole / 60), s: whole % 60 } };
  const minutes = Math.round(whole / 60);
  if (minutes < 2880) return { id: "duration-hours", args: { h: Math.floor(minutes / 60), min: minutes % 60 } };
  return { id: "duration-days", args: { d: Math.round(minutes / 1440) } };
}

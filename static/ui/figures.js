// How a training's measures are named and written: accuracies as shares of a hundred, losses to about four digits.

/** Those that have a name in the catalogues; others keep their own. */
const NAMED = ["loss", "accuracy", "binary_accuracy", "top_k_accuracy", "perplexity", "mae", "rmse"];

const catalogued = (name) => name.replaceAll("_", "-");

/** "top_k_accuracy" in the reader's language. */
export function measureName(ctx, name) {
  return NAMED.includes(name) ? ctx.t(`measure-${catalogued(name)}`) : name.replaceAll("_", " ");
}

/** A measure's value as it stands in figures and tables; a dash where there is none. */
export function measured(ctx, name, value) {
  if (!Number.isFinite(value)) return "–";
  if (name.endsWith("accuracy")) return ctx.percent(value, 1);
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e4 ? ctx.measure.fixed(value, size < 10 ? 4 : size < 100 ? 2 : 1) : ctx.measure.significant(value, 4);
}

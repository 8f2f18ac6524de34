// Messages by id and arguments (Fluent). Python emits ids and raw numbers; words and number forms are made here.

import { FluentBundle, FluentNumber, FluentResource } from "@fluent/bundle";

const FALLBACK = "en";

function bundleOf(language, source) {
  // All three languages run left to right: isolation marks would only end up in copied text.
  const bundle = new FluentBundle(language, { useIsolating: false });
  const errors = bundle.addResource(new FluentResource(source));
  if (errors.length) throw errors[0];
  return bundle;
}

/** Fluent takes texts, numbers and dates; anything else a view model holds is shown as its text. */
function argument(value) {
  if (typeof value === "number") return new FluentNumber(value, { maximumFractionDigits: 6 });
  if (typeof value === "string" || value instanceof FluentNumber) return value;
  return Array.isArray(value) ? value.join(", ") : String(value);
}

export class Translator {
  /** `catalogues`: language code -> text of its .ftl file. Ids missing from a language are taken from English. */
  constructor(catalogues, language) {
    this.language = language;
    this.bundles = [...new Set([language, FALLBACK])].map((code) => bundleOf(code, catalogues[code]));
  }

  has(id) {
    return this.bundles.some((bundle) => bundle.hasMessage(id));
  }

  /** The message `id` with `args`; the id itself where no catalogue has it, so that a gap is seen. */
  text(id, args = {}) {
    return this.#format(id, args, (message) => message.value) ?? id;
  }

  /** The attribute `name` of message `id` (remedies, hints), or null. */
  attribute(id, name, args = {}) {
    return this.#format(id, args, (message) => message.attributes[name] ?? null);
  }

  /** `id`, or the nearest family that has a message: error-graph-form, else error-graph. Null where none has. */
  known(id) {
    for (let name = id ?? ""; name; name = name.slice(0, Math.max(0, name.lastIndexOf("-")))) {
      if (this.has(name)) return name;
    }
    return null;
  }

  /** A `{id, args, message}` of a view model; a plain text passes through. */
  message(value) {
    if (value === null || value === undefined) return "";
    const { id, args = {}, message = "" } = typeof value === "string" ? { id: value, message: value } : value;
    const known = this.known(id);
    return known ? this.text(known, { message, ...args }) : message || id;
  }

  #format(id, args, pick) {
    const formatted = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, argument(value)]));
    for (const bundle of this.bundles) {
      const message = bundle.getMessage(id);
      const pattern = message && pick(message);
      if (pattern) return bundle.formatPattern(pattern, formatted, []);
    }
    return null;
  }
}

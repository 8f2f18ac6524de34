import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { FluentResource } from "@fluent/bundle";
import { Translator } from "../../static/i18n.js";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf-8");
const LANGUAGES = ["en", "de", "tr"];
const catalogues = Object.fromEntries(LANGUAGES.map((code) => [code, read(`static/locales/${code}.ftl`)]));

/** Ids with their attributes, and the variables that each uses. */
function outline(text) {
  const found = new Map();
  const variables = (part) => [...JSON.stringify(part ?? "").matchAll(/"type":"var","name":"(\w+)"/g)].map((m) => m[1]);
  for (const { id, value, attributes } of new FluentResource(text).body) {
    found.set(id, new Set(variables(value)));
    for (const [name, pattern] of Object.entries(attributes)) found.set(`${id}.${name}`, new Set(variables(pattern)));
  }
  return found;
}

/** All files of a folder with this ending, as one text. */
function everything(folder, ending) {
  return readdirSync(new URL(folder, root), { recursive: true }).filter((name) => name.endsWith(ending))
    .map((name) => read(folder + name)).join("\n");
}

const isMessage = (text) => /^[a-z]+(-[a-z0-9]+)+$/.test(text);

/** The arguments of each call of `t`, as text, strings and templates within them included. */
function* calls(source) {
  for (const { index, 0: start } of source.matchAll(/\bt\(/g)) {
    let depth = 1;
    let end = index + start.length;
    for (; depth && end < source.length; end += 1) depth += { "(": 1, ")": -1 }[source[end]] ?? 0;
    yield source.slice(index + start.length, end - 1);
  }
}

const outlines = Object.fromEntries(LANGUAGES.map((code) => [code, outline(catalogues[code])]));

test("the catalogues parse whole: every message that is written is read", () => {
  for (const code of LANGUAGES) {
    const written = catalogues[code].match(/^[a-z][\w-]* =/gm).length;
    assert.equal(new FluentResource(catalogues[code]).body.length, written, code);
  }
});

test("each language has the same messages, with the same variables", () => {
  for (const code of ["de", "tr"]) {
    assert.deepEqual([...outlines[code].keys()].sort(), [...outlines.en.keys()].sort(), code);
    for (const [id, names] of outlines[code]) {
      for (const name of names) assert.ok(outlines.en.get(id).has(name), `${code} ${id} uses $${name}`);
    }
  }
});

test("no Turkish suffix is glued to a variable", () => {
  const glued = catalogues.tr.match(/\}['’]?\p{L}.*/gu) ?? [];
  assert.deepEqual(glued, []);
});

test("every message that the page names exists", () => {
  const sources = readdirSync(new URL("static/ui/", root)).map((name) => read(`static/ui/${name}`)).join("\n");
  // Of a choice, `t(one ? "a" : "b", …)`, each; of `{name: "…"}` among the arguments, none: that has no such form.
  const named = [...calls(sources)].flatMap((text) => [...text.matchAll(/"([^"]+)"/g)].map((match) => match[1])).filter(isMessage);
  assert.ok(named.length > 150, String(named.length));
  assert.deepEqual([...new Set(named)].filter((id) => !outlines.en.has(id)), []);
  // Families made by a prefix and a word of a view model: at least one member each.
  const families = [...sources.matchAll(/\bt\(\s*`([a-z-]+-)\$\{/g)].map((match) => match[1]);
  for (const prefix of families) assert.ok([...outlines.en.keys()].some((id) => id.startsWith(prefix)), prefix);
});

test("no message of the catalogues is unused", () => {
  const page = everything("static/", ".js");
  const sources = page + everything("py/", ".py");
  const written = new Set(sources.match(/[\w-]+/g).map((word) => word.replaceAll("_", "-")));
  const codes = [...written].filter((word) => word.startsWith("SCL-"));
  // Names with a word put in, `state-${word}` or f"finding-{word}": each word is written somewhere.
  const shapes = [...sources.matchAll(/`([a-z]+-[^`\s]*\$\{[^`]*)`|f"([a-z]+-[^"\s]*\{[^"]*)"/g)].map(([, js, py]) =>
    new RegExp(`^${(js ?? py).replace(/\$?\{[^}]*\}/g, "([a-z0-9-]+)")}$`));
  const used = (id) => written.has(id)
    || shapes.some((shape) => shape.exec(id)?.slice(1).every((word) => written.has(word)))
    || (id.startsWith("error-") && codes.some((code) => `${code}-`.startsWith(`SCL-${id.slice(6).toUpperCase()}-`)));
  const unused = [...outlines.en.keys()].filter((id) => !id.includes(".") && !used(id));
  assert.deepEqual(unused, []);
});

test("words, numbers and fall-backs", () => {
  const de = new Translator(catalogues, "de");
  assert.equal(de.text("plan-summary", { draws: 41943040, shards: 640, each: 65536 }),
    "41.943.040 Ziehungen, in 640 Shards zu 65.536.");
  assert.equal(new Translator(catalogues, "tr").text("percent", { value: "99" }), "%99");
  assert.equal(de.text("no-such-message"), "no-such-message");
  assert.equal(de.message({ id: "not-translated", message: "A sentence." }), "A sentence.");
  assert.equal(de.attribute("error-gpu-lost", "remedy"), "Setzen Sie den Lauf fort.");
});

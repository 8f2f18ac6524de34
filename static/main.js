// The page's entry: joins the screens, the bridge to Python and the person's choices.

import { connect } from "./boot.js";
import { Translator } from "./i18n.js";
import { serveRtc } from "./rtc.js";
import { CATALOGUES } from "./ui/catalogues.js";
import { Context } from "./ui/context.js";
import { language, setLanguage } from "./ui/preferences.js";
import { keepAwake } from "./ui/awake.js";
import { parse } from "./ui/route.js";
import { Session } from "./ui/session.js";
import { Shell } from "./ui/shell.js";
import { Views } from "./ui/views.js";

const views = new Views();
const session = new Session(views);
/** Stands for a record that could not be read; why is shown as a fault. */
const UNREADABLE = { unreadable: true };
let shell = null;
let context = null;
let greeted = false;

/** Draws the whole page in a language. The view models stay: nothing is asked of Python again. */
function show(code) {
  setLanguage(code);
  shell?.destroy();
  const focused = document.activeElement?.id;
  context = new Context(new Translator(CATALOGUES, code), views, session, context?.drafts);
  shell = new Shell(context, show);
  context.announce = (text) => shell.announce(text);
  session.faults = shell.fault;
  document.querySelector("#app").replaceWith(shell.element);
  shell.show(location.hash, false);
  if (focused) document.getElementById(focused)?.focus();
}

/** Has Python read a run URL or an invitation. Before it is there, an invitation is said to be followed. */
function readAddress() {
  const { screen, payload } = parse(location.hash);
  if (!greeted) {
    if (payload && screen === "pool") views.set("pool", { state: "joining" });
    return;
  }
  if (payload && screen === "record") {
    views.set("record", null);
    views.set("replay", null);
    session.ask("open_record", { fragment: payload }).then((read) => read ?? views.set("record", UNREADABLE));
  } else if (payload && screen === "pool") {
    context.joinPool(location.href, shell.fault);
  }
}

show(language());
readAddress();
addEventListener("hashchange", () => {
  shell.show(location.hash, true); // the person went there, so the focus goes along
  readAddress();
});
views.on("fault", (error) => error && shell.fault.show(error));
keepAwake(views);
/** A program that was open in an interpreter before this one, and of which no run can be resumed, is opened again. */
function reopen() {
  const plan = views.get("plan");
  const example = plan ? plan.example : views.get("opening")?.id;
  if (views.get("run")) return;
  if (example) session.ask("open_example", { id: example });
  else if (plan) session.ask("open_text", { sml: plan.sml });
}

/** So is a training: it stands at its last checkpoint. */
function reopenTraining() {
  const training = views.get("training");
  if (training) context.reopenTraining(training.example ? { id: training.example } : { sml: training.sml });
}

const client = session.start(connect);
const channels = serveRtc(client);
client.listen("persist", async () => {
  client.post({ type: "persisted", persisted: (await navigator.storage?.persist?.()) ?? false });
});
// Each fresh interpreter is greeted, before any call that waits for it, and reads the address.
views.on("boot", async ({ ready }) => {
  if (!ready) return channels.reset(); // they belonged to the interpreter before
  const again = greeted;
  greeted = true;
  await session.ask("hello", {});
  if (again) {
    reopen();
    reopenTraining();
  }
  return readAddress();
});

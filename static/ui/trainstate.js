// The state of a training as a word with a shape.

/** Shape and tone of each state: the colour repeats what word and shape say. */
const STATES = {
  ready: ["ready", ""], compiling: ["stale", "accent"], running: ["running", "accent"], pausing: ["stopping", "warn"],
  paused: ["interrupted", "warn"], interrupted: ["interrupted", "warn"], elsewhere: ["running", "accent"], too_large: ["failed", "bad"],
  done: ["done", "good"], early_stop: ["done", "good"], fault: ["failed", "bad"],
};

/** [shape, word, tone], as `Badge.set` takes them. */
export function trainingState(t, state) {
  const [shape, tone] = STATES[state] ?? ["info", ""];
  return [shape, t(`training-state-${state.replace("_", "-")}`), tone];
}

/** What is to be said beside a training: a slower path, what is not kept, where it goes on, how much room there is. */
export function trainingNotices(training, device, measure) {
  const { slow, state, kept, unkept, room } = training ?? { slow: device?.kind === "oracle" };
  return [
    slow && "training-slow",
    device?.storage === "memory" && "training-not-saved",
    state === "elsewhere" && "training-elsewhere",
    state === "interrupted" && { id: "training-interrupted", args: { step: kept ?? 0 } },
    unkept && { id: "training-unkept", args: { step: unkept, kept: kept ?? 0 } },
    room?.short && { id: "training-room", args: { needed: measure.bytes(room.needed), free: measure.bytes(room.free), each: measure.bytes(room.each) } },
  ].filter(Boolean);
}

// Which runs go on. Those that do end with the interpreter, and only those are computed by this tab.

const OVER = ["done", "failed", "interrupted"];

/** Whether the view model `run` is of one that goes on. */
export const goesOn = (run) => Boolean(run) && !OVER.includes(run.state);

/** Whether the view model `training` is of one that computes. */
export const trains = (training) => ["compiling", "running", "pausing"].includes(training?.state);

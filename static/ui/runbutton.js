// The one large button of a run: Run, Stop, Resume.

import { StateButton } from "./statebutton.js";

const RUN = {
  view: "run",
  faces: {
    ready: ["action-run", "play", "run"],
    running: ["action-stop", "stop", "stop"],
    verifying: ["action-stop", "stop", "stop"],
    stopping: ["action-stopping", "stop", null],
    starting: ["action-starting", "play", null],
    interrupted: ["action-resume", "play", "resume"],
    failed: ["action-resume", "play", "resume"],
    done: ["action-run", "play", null],
    watching: ["action-run", "play", null],
  },
  underway: { run: "starting", resume: "starting", stop: "stopping" },
  idle: ["done", "watching"], // the run is over, or goes on without this device
  params: (call, run) => (call === "resume" ? { address: run.job_address } : {}),
};

export class RunButton extends StateButton {
  constructor(ctx, fault, onPress) {
    super(ctx, RUN, fault, onPress);
  }
}

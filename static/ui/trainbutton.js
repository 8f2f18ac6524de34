// The one large button of a training: Train, Pause, Go on.

import { StateButton } from "./statebutton.js";

const TRAINING = {
  view: "training",
  faces: {
    ready: ["action-train", "play", "train"],
    compiling: ["action-compiling", "play", null],
    running: ["action-pause", "interrupted", "train_pause"],
    pausing: ["action-pausing", "interrupted", null],
    paused: ["action-go-on", "play", "train"],
    interrupted: ["action-resume", "play", "train"],
    elsewhere: ["action-train", "play", null],
    too_large: ["action-train", "play", "train"],
    fault: ["action-go-on", "play", "train"],
    done: ["action-train", "play", null],
    early_stop: ["action-train", "play", null],
  },
  underway: { train: "compiling", train_pause: "pausing" },
  idle: ["done", "early_stop", "elsewhere"], // it is over, or another tab has it
};

export class TrainButton extends StateButton {
  constructor(ctx, fault, onPress) {
    super(ctx, TRAINING, fault, onPress);
  }
}

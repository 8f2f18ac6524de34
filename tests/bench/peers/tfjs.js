// TensorFlow.js on its WebGPU backend: its own softmax, loss and optimizer, eager, as its guides write it.

import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-core/dist/register_all_gradients";
import "@tensorflow/tfjs-backend-webgpu";

import { enter } from "./contest.js";
import { integers, uniform } from "./data.js";

const POISONED = 4; // as many as a step of a mapped array may take out of the pool

/** x becomes f(x), again and again. */
function mapped(shape, { scale, shift }, f, ...held) {
  let x = null;
  const put = (next) => {
    x?.dispose();
    x = next;
  };
  const step = () => put(tf.tidy(() => f(x, ...held)));
  return {
    poison: () => poisonOf(Array(POISONED).fill(shape)),
    async start(round) {
      put(tf.tensor(uniform(shape, 1000 + round, scale, shift), shape));
      step(); // its upload waits for a first use
      await tf.tidy(() => tf.sum(x)).data();
    },
    step,
    end: () => x.data(),
    close: () => tf.dispose([x, ...held]),
  };
}

/** Adam on `parameters` (shape, seed, scale, shift) of the loss that `lossOf` computes. */
function trained({ rate, parameters }, lossOf, held) {
  const variables = parameters.map(({ shape, seed, scale, shift }) =>
    tf.variable(tf.tensor(uniform(shape, seed, scale, shift), shape)),
  );
  const optimizer = tf.train.adam(rate, 0.9, 0.999, 1e-8);
  let losses = [];
  return {
    poison: () => poisonOf(parameters.map(({ shape }) => shape)),
    start() {
      losses = [];
    },
    step() {
      losses.push(optimizer.minimize(() => lossOf(variables), true, variables));
    },
    end: () => losses.at(-1).data(),
    async losses() {
      const found = [];
      for (const loss of losses) found.push((await loss.data())[0]);
      tf.dispose(losses);
      return found;
    },
    close() {
      optimizer.dispose();
      tf.dispose([...variables, ...held]);
    },
  };
}

async function poisonOf(shapes) {
  const arrays = shapes.map((shape) => tf.fill(shape, NaN));
  await arrays.at(-1).data();
  tf.dispose(arrays);
}

const uniformTensor = (shape, ...numbers) => tf.tensor(uniform(shape, ...numbers), shape);

const cases = {
  matmul({ shape }) {
    const w = uniformTensor(shape, 1, Math.sqrt(3 / shape[0]));
    return mapped(shape, { scale: 1 }, (x, w) => tf.matMul(x, w), w);
  },

  softmax({ shape }) {
    return mapped(shape, { scale: 4 }, (x) => tf.softmax(x));
  },

  layer_norm({ shape }) {
    const width = shape.at(-1);
    return mapped(shape, { scale: 1, shift: 0.5 }, layerNorm, uniformTensor([width], 1, 0.1, 1), uniformTensor([width], 2, 0.1));
  },

  mlp({ batch, inputs, classes, ...training }) {
    const x = uniformTensor([batch, inputs], 1);
    const y = tf.tidy(() => tf.oneHot(tf.tensor1d(integers(batch, 2, classes), "int32"), classes));
    const lossOf = ([w1, b1, w2, b2]) => {
      const hidden = tf.relu(tf.add(tf.matMul(x, w1), b1));
      return tf.losses.softmaxCrossEntropy(y, tf.add(tf.matMul(hidden, w2), b2));
    };
    return trained(training, lossOf, [x, y]);
  },
};

function layerNorm(x, gain, bias) {
  const { mean, variance } = tf.moments(x, -1, true);
  return tf.add(tf.mul(tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, 1e-5))), gain), bias);
}

enter({
  async open() {
    await tf.setBackend("webgpu");
    await tf.ready();
    return tf.getBackend();
  },
  cases,
});

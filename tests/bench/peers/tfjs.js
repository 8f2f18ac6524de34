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

  attention({ shape }) {
    const k = uniformTensor(shape, 1);
    const v = uniformTensor(shape, 2);
    return mapped(shape, { scale: 1 }, attention, k, v, causalMask(shape[1]));
  },

  transformer({ batch, length, width, heads, vocabulary, ...training }) {
    const rows = batch * length;
    const [x, y] = [1, 2].map((seed) =>
      tf.tidy(() => tf.oneHot(tf.tensor1d(integers(rows, seed, vocabulary), "int32"), vocabulary, 1, 0, "float32")),
    );
    const mask = causalMask(length);
    const apart = (a) => tf.transpose(tf.reshape(a, [batch, length, heads, width / heads]), [0, 2, 1, 3]);
    const together = (a) => tf.reshape(tf.transpose(a, [0, 2, 1, 3]), [rows, width]);
    const block = (h, [gain1, bias1, wq, wk, wv, wo, gain2, bias2, w1, b1, w2, b2]) => {
      const a = layerNorm(h, gain1, bias1);
      const [q, k, v] = [wq, wk, wv].map((w) => apart(tf.matMul(a, w)));
      h = tf.add(h, tf.matMul(together(attention(q, k, v, mask)), wo));
      const wide = gelu(tf.add(tf.matMul(layerNorm(h, gain2, bias2), w1), b1));
      return tf.add(h, tf.add(tf.matMul(wide, w2), b2));
    };
    const lossOf = ([embedding, position, ...rest]) => {
      const places = tf.add(tf.reshape(tf.matMul(x, embedding), [batch, length, width]), position);
      let h = tf.reshape(places, [rows, width]);
      while (rest.length > 3) h = block(h, rest.splice(0, 12));
      const [gain, bias, head] = rest;
      return tf.losses.softmaxCrossEntropy(y, tf.matMul(layerNorm(h, gain, bias), head));
    };
    return trained(training, lossOf, [x, y, mask]);
  },
};

/** softmax(q kᵀ / √d + mask) v over the last two axes. */
function attention(q, k, v, mask) {
  const scores = tf.mul(tf.matMul(q, k, false, true), 1 / Math.sqrt(q.shape.at(-1)));
  return tf.matMul(tf.softmax(tf.add(scores, mask)), v);
}

/** 0 for what a place may see, and so little for what comes later that its weight is 0. */
function causalMask(length) {
  const values = Float32Array.from({ length: length * length }, (_, i) => (i % length > i / length ? -1e30 : 0));
  return tf.tensor(values, [length, length]);
}

/** The approximation by tanh. */
function gelu(x) {
  const inner = tf.mul(tf.add(x, tf.mul(tf.mul(tf.square(x), x), 0.044715)), Math.sqrt(2 / Math.PI));
  return tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(inner), 1));
}

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

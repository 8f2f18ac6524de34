// jax-js on its WebGPU backend, every step one jit. An array is given up by whoever is passed it; `.ref` keeps it.

import { blockUntilReady, defaultDevice, init, jit, nn, numpy as np, valueAndGrad } from "@jax-js/jax";

import { enter } from "./contest.js";
import { integers, uniform } from "./data.js";

const POISONED = 4; // as many as a step of a mapped array may take out of the pool

/** x becomes f(x), again and again. */
function mapped(shape, { scale, shift }, f, ...held) {
  const compiled = jit(f);
  let x = null;
  const step = () => {
    x = compiled(x, ...held.map((array) => array.ref));
  };
  return {
    poison: () => poisonOf(Array(POISONED).fill(shape)),
    async start(round) {
      x?.dispose();
      x = uniformArray(shape, 1000 + round, scale, shift);
      step();
      await blockUntilReady(x);
    },
    step,
    end: () => x.ref.data(),
    close() {
      for (const array of [x, ...held]) array.dispose();
      compiled.dispose();
    },
  };
}

/** Adam on `parameters` (shape, seed, scale, shift) of the loss that `lossOf` computes. */
function trained({ rate, parameters }, lossOf, held) {
  const zeros = () => parameters.map(({ shape }) => np.array(new Float32Array(sizeOf(shape)), { shape }));
  // optax' adam as it stands in jax-js' own repository, which has no package of it on npm; βᵗ are carried.
  const compiled = jit((values, first, second, powers, ...data) => {
    const [loss, slopes] = valueAndGrad(lossOf)(
      values.map((value) => value.ref),
      ...data,
    );
    const [power1, power2] = [powers[0].mul(0.9), powers[1].mul(0.999)];
    const corrections = [power1, power2].map((power) => np.array(1).sub(power.ref));
    const next = [[], [], []];
    values.forEach((value, i) => {
      const m = first[i].mul(0.9).add(slopes[i].ref.mul(0.1));
      const v = second[i].mul(0.999).add(np.square(slopes[i]).mul(0.001));
      const wide = np.sqrt(v.ref.div(corrections[1].ref)).add(1e-8);
      next[0].push(value.sub(m.ref.div(corrections[0].ref).div(wide).mul(rate)));
      next[1].push(m);
      next[2].push(v);
    });
    for (const correction of corrections) correction.dispose();
    return [loss, ...next, [power1, power2]];
  });
  let state = [
    parameters.map(({ shape, seed, scale, shift }) => uniformArray(shape, seed, scale, shift)),
    zeros(),
    zeros(),
    [1, 1].map((one) => np.array(new Float32Array([one]), { shape: [] })),
  ];
  let losses = [];
  return {
    poison: () => poisonOf(parameters.map(({ shape }) => shape)),
    start() {
      losses = [];
    },
    step() {
      const [loss, ...next] = compiled(...state, ...held.map((array) => array.ref));
      state = next;
      losses.push(loss);
    },
    end: () => losses.at(-1).ref.data(),
    async losses() {
      const found = [];
      for (const loss of losses) found.push((await loss.data())[0]);
      return found;
    },
    close() {
      for (const array of [...state.flat(), ...held]) array.dispose();
      compiled.dispose();
    },
  };
}

async function poisonOf(shapes) {
  for (const array of shapes.map((shape) => np.array(new Float32Array(sizeOf(shape)).fill(NaN), { shape }))) {
    await blockUntilReady(array);
    array.dispose();
  }
}

const sizeOf = (shape) => shape.reduce((size, length) => size * length, 1);
const uniformArray = (shape, ...numbers) => np.array(uniform(shape, ...numbers), { shape });

const cases = {
  matmul({ shape }) {
    const w = uniformArray(shape, 1, Math.sqrt(3 / shape[0]));
    return mapped(shape, { scale: 1 }, (x, w) => np.matmul(x, w), w);
  },

  softmax({ shape }) {
    return mapped(shape, { scale: 4 }, (x) => nn.softmax(x));
  },

  layer_norm({ shape }) {
    const width = shape.at(-1);
    const given = { scale: 1, shift: 0.5 };
    return mapped(shape, given, layerNorm, uniformArray([width], 1, 0.1, 1), uniformArray([width], 2, 0.1));
  },

  mlp({ batch, inputs, classes, ...training }) {
    const x = uniformArray([batch, inputs], 1);
    const y = oneHot(integers(batch, 2, classes), classes);
    const lossOf = ([w1, b1, w2, b2], x, y) => {
      const hidden = nn.relu(np.matmul(x, w1).add(b1));
      return crossEntropy(np.matmul(hidden, w2).add(b2), y);
    };
    return trained(training, lossOf, [x, y]);
  },

  attention({ shape }) {
    return mapped(shape, { scale: 1 }, attention, uniformArray(shape, 1), uniformArray(shape, 2));
  },

  transformer({ batch, length, width, heads, vocabulary, ...training }) {
    const rows = batch * length;
    const held = [1, 2].map((seed) => oneHot(integers(rows, seed, vocabulary), vocabulary));
    const apart = (a) => np.transpose(a.reshape([batch, length, heads, width / heads]), [0, 2, 1, 3]);
    const together = (a) => np.transpose(a, [0, 2, 1, 3]).reshape([rows, width]);
    const block = (h, [gain1, bias1, wq, wk, wv, wo, gain2, bias2, w1, b1, w2, b2]) => {
      const a = layerNorm(h.ref, gain1, bias1);
      const [q, k, v] = [np.matmul(a.ref, wq), np.matmul(a.ref, wk), np.matmul(a, wv)].map(apart);
      h = h.add(np.matmul(together(attention(q, k, v)), wo));
      const wide = nn.gelu(np.matmul(layerNorm(h.ref, gain2, bias2), w1).add(b1));
      return h.add(np.matmul(wide, w2).add(b2));
    };
    const lossOf = ([embedding, position, ...rest], x, y) => {
      const places = np.matmul(x, embedding).reshape([batch, length, width]).add(position);
      let h = places.reshape([rows, width]);
      while (rest.length > 3) h = block(h, rest.splice(0, 12));
      const [gain, bias, head] = rest;
      return crossEntropy(np.matmul(layerNorm(h, gain, bias), head), y);
    };
    return trained(training, lossOf, held);
  },
};

/** Causal, over the last two axes; written as nn.dotProductAttention is, which has heads elsewhere. */
function attention(q, k, v) {
  const [length, width] = q.shape.slice(-2);
  const scores = np.matmul(q, np.matrixTranspose(k)).mul(1 / Math.sqrt(width));
  const seen = np.tri(length, length, 0, { dtype: np.bool });
  return np.matmul(nn.softmax(np.where(seen, scores, -Infinity)), v);
}

const layerNorm = (x, gain, bias) => nn.standardize(x).mul(gain).add(bias);

/** The mean over all rows of logits against one-hot labels. */
const crossEntropy = (logits, y) => nn.logSoftmax(logits).mul(y).sum(-1).mean().neg();

function oneHot(labels, classes) {
  const values = new Float32Array(labels.length * classes);
  labels.forEach((label, row) => (values[row * classes + label] = 1));
  return np.array(values, { shape: [labels.length, classes] });
}

enter({
  async open() {
    await init("webgpu");
    return defaultDevice("webgpu");
  },
  cases,
});

sml: 1
model: user/ada/digits_mlp@1
about: Handwritten digits, 8 by 8 pixels, by a perceptron of two layers.
data: { dataset: digits@1, input: images, target: labels, validation: 0.2 }
layers:
  flat: { block_id: model/layer/flatten }
  hidden: { block_id: model/layer/linear, out_features: 256 }
  active: { block_id: model/layer/relu }
  logits: { block_id: model/layer/linear, out_features: 10 }
optimizer: { block_id: training/optimizer/adamw, lr: 1.0e-2, weight_decay: 0.01 }
scheduler: { block_id: training/scheduler/warmup_cosine, warmup_steps: 50 }
loss: { block_id: training/loss/cross_entropy, label_smoothing: 0.1 }
metrics: [{ block_id: training/metric/accuracy }]
epochs: 20
batch_size: 32
determinism_tier: prod
seed: 42

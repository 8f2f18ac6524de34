sml: 1
model: user/ada/digits_cnn@1
about: Handwritten digits by a small convolutional network, trained on digits that are moved about.
data:
  dataset: digits@1
  input: images
  target: labels
  validation: 0.2
  augment: [{ block_id: data/augmentation/shift, most: 1 }]
layers:
  first: { block_id: model/layer/conv2d, out_channels: 16, kernel_size: 3, padding: 1 }
  active: { block_id: model/layer/relu }
  second: { block_id: model/layer/conv2d, out_channels: 32, kernel_size: 3, padding: 1 }
  active_too: { block_id: model/layer/relu }
  pool: { block_id: model/layer/max_pool2d, kernel_size: 2 }
  flat: { block_id: model/layer/flatten }
  drop: { block_id: model/layer/dropout, rate: 0.25 }
  logits: { block_id: model/layer/linear, out_features: 10 }
optimizer: { block_id: training/optimizer/adamw, lr: 3.0e-3, weight_decay: 0.01 }
scheduler: { block_id: training/scheduler/warmup_cosine, warmup_steps: 50 }
loss: { block_id: training/loss/cross_entropy, label_smoothing: 0.1 }
metrics: [{ block_id: training/metric/accuracy }]
epochs: 20
batch_size: 32
grad_clip: { max_norm: 1.0 }
determinism_tier: prod
seed: 42

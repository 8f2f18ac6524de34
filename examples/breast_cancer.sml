sml: 1
model: user/ada/breast_cancer@1
about: Whether a breast tumour is benign, by thirty measures of its cells.
data: { dataset: breast_cancer@1, input: measures, target: kind, validation: 0.2 }
layers:
  scale: { block_id: model/layer/batch_norm }
  hidden: { block_id: model/layer/linear, out_features: 32 }
  active: { block_id: model/layer/gelu }
  drop: { block_id: model/layer/dropout, rate: 0.2 }
  logits: { block_id: model/layer/linear, out_features: 2 }
optimizer: { block_id: training/optimizer/adamw, lr: 0.005 }
scheduler: { block_id: training/scheduler/one_cycle }
loss: { block_id: training/loss/cross_entropy, label_smoothing: 0.05 }
metrics: [{ block_id: training/metric/accuracy }]
epochs: 20
batch_size: 32
early_stop: { patience: 8 }
determinism_tier: prod
seed: 7

sml: 1
model: user/ada/diabetes@1
about: How diabetes goes on within a year, a number from 25 to 346, by ten measures.
data: { dataset: diabetes@1, input: measures, target: progress, validation: 0.2 }
layers:
  scale: { block_id: model/layer/batch_norm }
  hidden: { block_id: model/layer/linear, out_features: 32 }
  active: { block_id: model/layer/relu }
  answer: { block_id: model/layer/linear, out_features: 1 }
optimizer: { block_id: training/optimizer/adamw, lr: 0.05 }
scheduler: { block_id: training/scheduler/plateau, factor: 0.5, patience: 4 }
loss: { block_id: training/loss/huber, delta: 20 }
metrics: [{ block_id: training/metric/rmse }, { block_id: training/metric/mae }]
epochs: 40
batch_size: 32
determinism_tier: prod
seed: 7

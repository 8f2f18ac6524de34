sml: 1
model: user/ada/iris@1
about: Which kind of iris a flower is, by four lengths.
data: { dataset: iris@1, input: lengths, target: kind, validation: 0.2 }
layers:
  scale: { block_id: model/layer/batch_norm }
  hidden: { block_id: model/layer/linear, out_features: 16 }
  active: { block_id: model/layer/tanh }
  logits: { block_id: model/layer/linear, out_features: 3 }
optimizer: { block_id: training/optimizer/adam, lr: 0.02 }
scheduler: { block_id: training/scheduler/cosine }
loss: { block_id: training/loss/cross_entropy }
metrics: [{ block_id: training/metric/accuracy }]
epochs: 40
batch_size: 20
determinism_tier: prod
seed: 7

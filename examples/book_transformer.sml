sml: 1
model: user/ada/book_transformer@1
about: A small transformer that reads Moby-Dick letter by letter and says which one comes next.
data: { dataset: moby_dick@1, input: characters, sequence: 64, validation: 0.05 }
layers:
  embedding: { block_id: model/layer/embedding, num_embeddings: 83, embedding_dim: 64, std: 0.02 }
  position: { block_id: model/layer/position, max_length: 64 }
  drop: { block_id: model/layer/dropout, rate: 0.05 }
  block: { block_id: model/layer/transformer_block, num_heads: 4, causal: true, dropout: 0.05, repeat: 2 }
  norm: { block_id: model/layer/layer_norm }
  logits: { block_id: model/layer/linear, out_features: 83 }
optimizer: { block_id: training/optimizer/adamw, lr: 3.0e-3, weight_decay: 0.1 }
scheduler: { block_id: training/scheduler/warmup_cosine, warmup_steps: 50, min_lr: 3.0e-4 }
loss: { block_id: training/loss/cross_entropy }
metrics: [{ block_id: training/metric/accuracy }, { block_id: training/metric/perplexity }]
epochs: 1
batch_size: 32
grad_clip: { max_norm: 1.0 }
checkpoint: { every_steps: 100 }
determinism_tier: prod
seed: 42

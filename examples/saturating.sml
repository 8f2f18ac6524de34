# A ratio behind a saturating curve: first-order propagation of uncertainty fails here.
# The curve flattens, so the small net signal in the denominator is uncertain on one side: the linearised standard
# deviation is too small, its symmetric interval misses the long right tail, and the mean lies above the plug-in value.
sml: 1
title: Ratio behind a saturating curve
about: A reference over the net bound fraction of an assay that saturates. The linear law understates the risk.
inputs:
  flow: {draw: uniform, low: 0.8, high: 1.2}
  time: {draw: arcsine, low: 0.96, high: 1.04}
  volume: {draw: ctrap, low: 0.9, high: 1.1, d: 0.04}
  uptake: {draw: uniform, low: 0.28, high: 0.84}
  background: {draw: uniform, low: 0.02, high: 0.1}
  reference: {draw: student_t, df: 12, loc: 1, scale: 0.03}
  response: {draw: normal, loc: 1, scale: 0.03}
constants:
  nominal: 0.25
steps:
  exposure: flow * time / volume
  load: uptake * exposure
  bound: load / (1 + load)
  net: bound - background
output:
  name: ratio
  unit: ""
  value: nominal * reference / (response * net)
job:
  partition: {by_seed: {shards: 640, draws_per_shard: 65536}}
  reduction: {moments_histogram: {bins: 256}}
  coverage: 0.99
  standard_error: 0.00005
  determinism_tier: prod
  seed: 20081009
  policy: own_devices

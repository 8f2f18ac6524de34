# End-gauge calibration, JCGM 101:2008 (GUM Supplement 1), 9.5.
# Published Monte Carlo answer: 838 nm, standard uncertainty 36 nm, shortest 99 % interval [745, 932] nm.
#
# The gauge is 50 mm long. Its length in nanometres needs 26 bits, f32 has 24, so the program is written in
# deviations from the nominal length: `length` is what the standard's certificate says beyond 50 000 000 nm.
sml: 1
title: Gauge block calibration
about: How much longer than 50 mm is this steel block, compared with a calibrated standard?
source: JCGM 101:2008, 9.5
inputs:
  length: {draw: student_t, df: 18, loc: 623, scale: 25}            # standard, deviation from nominal, nm
  difference: {draw: student_t, df: 24, loc: 215, scale: 6}         # measured difference, nm
  random: {draw: student_t, df: 5, loc: 0, scale: 4}                # random effects of the comparator, nm
  systematic: {draw: student_t, df: 8, loc: 0, scale: 7}            # systematic effects of the comparator, nm
  expansion: {draw: uniform, low: 9.5e-6, high: 13.5e-6}            # thermal expansion of the standard, 1/K
  room: {draw: normal, loc: -0.1, scale: 0.2}                       # mean deviation from 20 °C, K
  cycle: {draw: arcsine, low: -0.5, high: 0.5}                      # cyclic variation of the room, K
  expansion_difference: {draw: ctrap, low: -1.0e-6, high: 1.0e-6, d: 0.1e-6}    # block against standard, 1/K
  temperature_difference: {draw: ctrap, low: -0.05, high: 0.05, d: 0.025}       # block against standard, K
constants:
  nominal: 50_000_000                                               # nm
steps:
  strain: expansion_difference * (room + cycle) + expansion * temperature_difference
output:
  name: deviation
  unit: nm
  value: length + difference + random + systematic - (nominal + length) * strain
job:
  partition: {by_seed: {shards: 640, draws_per_shard: 65536}}
  reduction: {moments_histogram: {bins: 256}}
  coverage: 0.99
  standard_error: 0.006
  determinism_tier: prod
  seed: 20081009
  policy: own_devices

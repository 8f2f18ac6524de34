// Draws, evaluates and accumulates whole shards of a program, one dispatch for many shards. No sample is stored.
//
// Bindings   0  batch      uniform: first shard, workgroups that have work
//            1  moments    (shards, GROUPS) of {count u32, mean f32, m2 f32} of z = (y - PIVOT) * PER_SCALE
//            2  histogram  (shards, BINS + 3) u32: below, BINS equal bins from LOW, above, not finite. Zero before.
// Workgroup  WORKGROUP threads, a power of two; GROUPS workgroups a shard, folded over x and y.
// Limits     a thread adds at most 256 draws, so no chain of f32 sums is longer than 256 + log2 WORKGROUP + 2;
//            shared memory 12 WORKGROUP + 4 (BINS + 3) bytes; 2 storage buffers.
// Result     fixed for a given adapter: sums run in one order, and only integers are added atomically.
// Test       tests/native/test_sample_moments.py against scellis.device.oracle.
//
// Put in by kernels/sampling.py: the includes, CONSTANTS, and of the program BLOCKS and DRAW, which sets `y`.

//#include words
//#include philox.wgsl
//#include stream.wgsl
//#include classes.wgsl
//#include trigonometry.wgsl
//#include elementary
//#include distributions.wgsl

//#put CONSTANTS

override KEY_0: u32;
override KEY_1: u32;
override FAMILY: u32;
override DRAWS: u32;
override LOW: f32;
override BINS_PER_UNIT: f32;
override PIVOT: f32;
override PER_SCALE: f32;

struct Batch {
  first_shard: u32,
  groups: u32,
}

struct Moments {
  count: u32,
  mean: f32,
  m2: f32,
}

@group(0) @binding(0) var<uniform> batch: Batch;
@group(0) @binding(1) var<storage, read_write> moments: array<Moments>;
@group(0) @binding(2) var<storage, read_write> histogram: array<atomic<u32>>;

const SLOTS = BINS + 3u;
const NOT_FINITE = BINS + 2u;

var<workgroup> slots: array<atomic<u32>, SLOTS>;
var<workgroup> tree: array<Moments, WORKGROUP>;

// Chan, Golub & LeVeque (1983). The empty state is the identity.
fn merge(a: Moments, b: Moments) -> Moments {
  let count = a.count + b.count;
  let share = f32(b.count) / f32(max(count, 1u));
  let shift = b.mean - a.mean;
  return Moments(count, a.mean + shift * share, a.m2 + b.m2 + shift * shift * f32(a.count) * share);
}

@compute @workgroup_size(WORKGROUP)
fn sample(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread: u32,
) {
  let group = workgroup.y * workgroups.x + workgroup.x;
  if (group >= batch.groups) {
    return;
  }
  let shard = group / GROUPS;
  for (var slot = thread; slot < SLOTS; slot += WORKGROUP) {
    atomicStore(&slots[slot], 0u);
  }
  workgroupBarrier();

  let stream = stream_head(vec2<u32>(KEY_0, KEY_1), batch.first_shard + shard, FAMILY);
  //#put BLOCKS

  var count = 0u;
  var sum = 0.0;
  var squares = 0.0;
  for (var i = (group % GROUPS) * WORKGROUP + thread; i < DRAWS; i += GROUPS * WORKGROUP) {
    let draw = draw_head(stream, i);
    //#put DRAW
    let finite = (bitcast<u32>(y) & 0x7f800000u) != 0x7f800000u;
    let z = select(0.0, (y - PIVOT) * PER_SCALE, finite);
    count += select(0u, 1u, finite);
    sum += z;
    squares += z * z;
    // The slot is read from the significand: f32 to u32 would cost several instructions to saturate.
    let place = floor(clamp((y - LOW) * BINS_PER_UNIT, -1.0, f32(BINS)));
    let slot = bitcast<u32>(place + (0x1.8p23f + 1.0)) & 0xffffu;
    atomicAdd(&slots[select(NOT_FINITE, slot, finite)], 1u);
  }

  let mean = sum / f32(max(count, 1u));
  tree[thread] = Moments(count, mean, max(squares - sum * mean, 0.0));
  workgroupBarrier();
  for (var half = WORKGROUP / 2u; half > 0u; half /= 2u) {
    if (thread < half) {
      tree[thread] = merge(tree[thread], tree[thread + half]);
    }
    workgroupBarrier();
  }
  if (thread == 0u) {
    moments[group] = tree[0];
  }
  for (var slot = thread; slot < SLOTS; slot += WORKGROUP) {
    let found = atomicLoad(&slots[slot]);
    if (found > 0u) {
      atomicAdd(&histogram[shard * SLOTS + slot], found);
    }
  }
}

// The yardstick: the gauge block calibration as one writes it by hand, for one program and no other.
//
// Plain Philox4x32-10 with 16-bit halves, nine inputs in deviations from nominal, moments and 256 bins, no sample
// stored. The elementary functions are WGSL's built-ins or short polynomials (gauge_by_hand_*.wgsl). Bindings and
// outputs are those of wgsl/sample_moments.wgsl, so that one bench runs both.

override KEY_0: u32;
override KEY_1: u32;
override DRAWS: u32;
override LOW: f32;
override BINS_PER_UNIT: f32;
override PIVOT: f32;
override PER_SCALE: f32;

//#put CONSTANTS

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

var<workgroup> slots: array<atomic<u32>, 258>;
var<workgroup> sums: array<vec3<f32>, WORKGROUP>;

fn multiply(a: u32, b: u32) -> vec2<u32> { // high and low word
  let al = a & 0xffffu;
  let ah = a >> 16u;
  let bl = b & 0xffffu;
  let bh = b >> 16u;
  let p = al * bl;
  let q = ah * bl + (p >> 16u);
  let r = al * bh + (q & 0xffffu);
  return vec2<u32>(ah * bh + (q >> 16u) + (r >> 16u), a * b);
}

fn philox(counter: vec4<u32>) -> vec4<u32> {
  var c = counter;
  var k = vec2<u32>(KEY_0, KEY_1);
  for (var round = 0u; round < 10u; round += 1u) {
    let x = multiply(0xD2511F53u, c.x);
    let y = multiply(0xCD9E8D57u, c.z);
    c = vec4<u32>(y.x ^ c.y ^ k.x, y.y, x.x ^ c.w ^ k.y, x.y);
    k += vec2<u32>(0x9E3779B9u, 0xBB67AE85u);
  }
  return c;
}

fn uniform01(word: u32) -> f32 {
  return f32(word >> 9u) * 0x1p-23f + 0x1p-24f;
}

//#put ELEMENTARY

fn student(df: f32, a: u32, b: u32) -> f32 {
  return sqrt(df * (hand_exp2(-2.0 / df * hand_log2(uniform01(a))) - 1.0)) * hand_cos(uniform01(b));
}

fn deviation(i: u32, shard: u32) -> f32 {
  let a = philox(vec4<u32>(i, 0u, shard, 1u));
  let b = philox(vec4<u32>(i, 1u, shard, 1u));
  let c = philox(vec4<u32>(i, 2u, shard, 1u));
  let d = philox(vec4<u32>(i, 3u, shard, 1u));
  let length = 623.0 + 25.0 * student(18.0, a.x, a.y);
  let difference = 215.0 + 6.0 * student(24.0, a.z, a.w);
  let random = 4.0 * student(5.0, b.x, b.y);
  let systematic = 7.0 * student(8.0, b.z, b.w);
  let expansion = 9.5e-6 + 4.0e-6 * uniform01(c.x);
  let room = -0.1 + 0.2 * sqrt(-1.3862943611 * hand_log2(uniform01(c.y))) * hand_cos(uniform01(c.z));
  let cycle = 0.5 * hand_sin(uniform01(c.w));
  let from_expansion = -1.1e-6 + 0.2e-6 * uniform01(d.x);
  let expansion_difference = from_expansion - 2.0 * from_expansion * uniform01(d.y);
  let from_temperature = -0.075 + 0.05 * uniform01(d.z);
  let temperature_difference = from_temperature - 2.0 * from_temperature * uniform01(d.w);
  let strain = expansion_difference * (room + cycle) + expansion * temperature_difference;
  return length + difference + random + systematic - (5.0e7 + length) * strain;
}

@compute @workgroup_size(WORKGROUP)
fn sample(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let shard = workgroup.x / GROUPS;
  for (var slot = thread; slot < 258u; slot += WORKGROUP) {
    atomicStore(&slots[slot], 0u);
  }
  workgroupBarrier();
  var sum = vec3<f32>();
  for (var i = (workgroup.x % GROUPS) * WORKGROUP + thread; i < DRAWS; i += GROUPS * WORKGROUP) {
    let y = deviation(i, batch.first_shard + shard);
    let z = (y - PIVOT) * PER_SCALE;
    sum += vec3<f32>(1.0, z, z * z);
    atomicAdd(&slots[u32(clamp((y - LOW) * BINS_PER_UNIT + 1.0, 0.0, 257.0))], 1u);
  }
  sums[thread] = sum;
  workgroupBarrier();
  for (var half = WORKGROUP / 2u; half > 0u; half /= 2u) {
    if (thread < half) {
      sums[thread] += sums[thread + half];
    }
    workgroupBarrier();
  }
  if (thread == 0u) {
    let total = sums[0];
    let mean = total.y / total.x;
    moments[workgroup.x] = Moments(u32(total.x), mean, total.z - total.y * mean);
  }
  for (var slot = thread; slot < 258u; slot += WORKGROUP) {
    atomicAdd(&histogram[shard * 259u + slot], atomicLoad(&slots[slot]));
  }
}

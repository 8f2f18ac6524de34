// What a product of query and key counts for; NOTHING is for what is not seen. EDGES says whether a block may lie
// partly outside. No function branches: SwiftShader does not end compiling a few dozen that do in one loop.
fn score(batch: u32, head: u32, query: u32, key: u32, total: f32) -> f32 {
  let unseen = (EDGES & ((query >= S) | (key >= T))) | (CAUSAL & (key > query));
  return select(masked(batch, head, query, key, total * SCALE), NOTHING, unseen);
}

// Of four keys from `key` on.
fn scores(batch: u32, head: u32, query: u32, key: u32, total: vec4<f32>) -> vec4<f32> {
  return vec4<f32>(
    score(batch, head, query, key, total.x),
    score(batch, head, query, key + 1u, total.y),
    score(batch, head, query, key + 2u, total.z),
    score(batch, head, query, key + 3u, total.w),
  );
}

// Of four queries from `query` on.
fn turned_scores(batch: u32, head: u32, query: u32, key: u32, total: vec4<f32>) -> vec4<f32> {
  return vec4<f32>(
    score(batch, head, query, key, total.x),
    score(batch, head, query + 1u, key, total.y),
    score(batch, head, query + 2u, key, total.z),
    score(batch, head, query + 3u, key, total.w),
  );
}

// The weight of a score, over exp(top).
fn weight(score: f32, top: f32) -> f32 {
  return select(exp_nonpositive(score - top), 0.0, score <= NOTHING);
}

fn weights(scores: vec4<f32>, top: vec4<f32>) -> vec4<f32> {
  return vec4<f32>(
    weight(scores.x, top.x), weight(scores.y, top.y), weight(scores.z, top.z), weight(scores.w, top.w),
  );
}

// The slopes of scores by those of their weights; where there is no weight, nothing is known of them.
fn slopes(weights: vec4<f32>, by_weight: vec4<f32>) -> vec4<f32> {
  return select(weights * by_weight * SCALE, vec4<f32>(), weights == vec4<f32>());
}

fn exps(x: vec4<f32>) -> vec4<f32> {
  return vec4<f32>(exp_nonpositive(x.x), exp_nonpositive(x.y), exp_nonpositive(x.z), exp_nonpositive(x.w));
}

fn largest(x: vec4<f32>) -> f32 {
  return max(max(x.x, x.y), max(x.z, x.w));
}

fn added(x: vec4<f32>) -> f32 {
  return (x.x + x.y) + (x.z + x.w);
}

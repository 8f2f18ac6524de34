fn hand_log2(x: f32) -> f32 { // Cephes' logf, scaled
  let bits = bitcast<u32>(x) + (0x3f800000u - 0x3f3504f3u);
  let f = bitcast<f32>((bits & 0x7fffffu) + 0x3f3504f3u) - 1.0;
  var p = 7.0376836292e-2;
  p = p * f - 1.1514610310e-1;
  p = p * f + 1.1676998740e-1;
  p = p * f - 1.2420140846e-1;
  p = p * f + 1.4249322787e-1;
  p = p * f - 1.6668057665e-1;
  p = p * f + 2.0000714765e-1;
  p = p * f - 2.4999993993e-1;
  p = p * f + 3.3333331174e-1;
  return f32(i32(bits >> 23u) - 127) + 1.4426950409 * (f - 0.5 * f * f + f * f * f * p);
}

fn hand_exp2(x: f32) -> f32 { // Cephes' exp2f
  let n = round(x);
  let f = x - n;
  var p = 1.535336188319500e-4;
  p = p * f + 1.339887440266574e-3;
  p = p * f + 9.618437357674640e-3;
  p = p * f + 5.550332471162809e-2;
  p = p * f + 2.402264791363012e-1;
  p = p * f + 6.931472028550421e-1;
  return bitcast<f32>(bitcast<i32>(p * f + 1.0) + (i32(n) << 23u));
}

fn hand_quarter(q: f32) -> f32 {
  let z = q * q;
  var p = 40.8759117;
  p = p * z - 76.7279816;
  p = p * z + 81.6086349;
  p = p * z - 41.3417664;
  p = p * z + 6.28318548;
  return q * p;
}

fn hand_cos(turns: f32) -> f32 {
  return hand_quarter(abs(turns - 0.5) - 0.25);
}

fn hand_sin(turns: f32) -> f32 {
  return hand_quarter(abs(abs(turns - 0.25) - 0.5) - 0.25);
}

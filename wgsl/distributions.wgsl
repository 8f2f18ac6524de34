// The distributions a program may draw from, one function each, from uniforms in (0, 1).
//
// The formulas of scellis.graph.draws in f32. Parameters are folded to constants in f64 by kernels/emit.py and rounded
// once. Error of a draw: scellis.graph.draws bounds it; tests/native/test_draws.py holds every device to the bound.
// Needs log_unit, powm1_unit, sin2pi, cos2pi of elementary.wgsl or elementary_fast.wgsl.

fn draw_uniform(low: f32, width: f32, u: f32) -> f32 {
  return low + width * u;
}

// Box & Muller (1958). `amplitude` = sqrt(2) scale.
fn draw_normal(loc: f32, amplitude: f32, u0: f32, u1: f32) -> f32 {
  return loc + amplitude * sqrt(-log_unit(u0)) * cos2pi(u1);
}

// Bailey (1994), trigonometric form. `exponent` = -2 / df, `amplitude` = sqrt(df) scale.
fn draw_t(exponent: f32, loc: f32, amplitude: f32, u0: f32, u1: f32) -> f32 {
  return loc + amplitude * sqrt(powm1_unit(u0, exponent)) * cos2pi(u1);
}

// JCGM 101:2008, 6.4.6.
fn draw_arcsine(middle: f32, half_width: f32, u: f32) -> f32 {
  return middle + half_width * sin2pi(u);
}

// JCGM 101:2008, 6.4.3. `first` = low - d, `spread` = 2 d, `sum` = low + high, which both limits keep.
fn draw_ctrap(first: f32, spread: f32, sum: f32, u0: f32, u1: f32) -> f32 {
  let a = first + spread * u0;
  return a + (sum - 2.0 * a) * u1;
}

// Products of whole numbers that do not fit a word.

struct Wide {
  high: u32,
  low: u32,
}

fn multiply_wide(a: u32, b: u32) -> Wide {
  let al = a & 0xffffu;
  let ah = a >> 16u;
  let bl = b & 0xffffu;
  let bh = b >> 16u;
  let across = al * bh;
  let middle = ((al * bl) >> 16u) + (across & 0xffffu) + ((ah * bl) & 0xffffu);
  return Wide(ah * bh + (across >> 16u) + ((ah * bl) >> 16u) + (middle >> 16u), a * b);
}

// Drawing once a frame, however often view models arrive; and not at all while nobody looks.

/** A function that asks for `draw` in the next frame, once; `cancel` forgets it. */
export function perFrame(draw) {
  let asked = 0;
  const ask = () => {
    asked ||= requestAnimationFrame(() => {
      asked = 0;
      draw();
    });
  };
  ask.cancel = () => {
    cancelAnimationFrame(asked);
    asked = 0;
  };
  return ask;
}

// What went wrong outside Python, in the same shape as Python's ScellisError.as_dict().

/**
 * A plain object that crosses postMessage: a stable code, the id of its translation, an English sentence,
 * the one thing to do, and the values that the translated sentence needs.
 */
export function fault(code, message, remedy, args = {}) {
  const message_id = "error-" + code.replace(/^SCL-/, "").toLowerCase();
  return { code, message_id, message, remedy, args };
}

/** An exception that carries a fault to whoever reports it. */
export class FaultError extends Error {
  constructor(code, message, remedy, args) {
    super(message);
    this.fault = fault(code, message, remedy, args);
  }
}

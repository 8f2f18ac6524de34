// Fetches data from anybody's host, in the worker, and finds out why it cannot be had.

/** Whoever gives data sees neither cookies nor the address of this page. */
const PLAIN = { credentials: "omit", referrerPolicy: "no-referrer" };

/**
 * The bytes at `url` as {bytes, why: ""}, or {why, status}: "status", "size" (beyond `limit`), "cut" in mid-answer,
 * "policy" (this page may not ask), "cors" (its host answers, but not to pages of this origin), "unreachable".
 */
export async function fetchData(url, limit) {
  const blocked = watchPolicy();
  let response;
  try {
    response = await fetch(url, PLAIN);
  } catch {
    // Why a fetch failed is kept from pages; whether the host answers at all, without being read, is not.
    const answered = await answers(url);
    await new Promise((done) => setTimeout(done)); // the report of what the policy blocked is a task behind it
    return { why: blocked.stop() ? "policy" : answered ? "cors" : "unreachable", status: 0 };
  }
  blocked.stop();
  if (!response.ok) {
    await response.body?.cancel();
    return { why: "status", status: response.status };
  }
  return read(response.body.getReader(), limit);
}

async function read(reader, limit) {
  const chunks = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > limit) {
        await reader.cancel();
        return { why: "size", status: 0 };
      }
      chunks.push(value);
    }
  } catch {
    return { why: "cut", status: 0 };
  }
  const bytes = new Uint8Array(size);
  let filled = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  return { bytes, why: "" };
}

async function answers(url) {
  const asked = new AbortController();
  try {
    await fetch(url, { ...PLAIN, mode: "no-cors", signal: asked.signal });
    return true;
  } catch {
    return false;
  } finally {
    asked.abort(); // its body is of no use
  }
}

/** Whether the policy blocks a request from now on; `stop()` says so. */
function watchPolicy() {
  let seen = false;
  const see = ({ effectiveDirective }) => (seen ||= effectiveDirective === "connect-src");
  self.addEventListener("securitypolicyviolation", see);
  return {
    stop() {
      self.removeEventListener("securitypolicyviolation", see);
      return seen;
    },
  };
}

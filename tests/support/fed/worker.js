// Stands at the far end of the bridge and says what a test tells it to: the page is the part under test here.
// The test speaks over a BroadcastChannel: {post} goes to the page, {fail: {method, error}} makes one call fail;
// each is acknowledged by its mark.

const test = new BroadcastChannel("scellis-ui-test");
const failing = new Map();

test.onmessage = ({ data }) => {
  if (data.post) self.postMessage(data.post);
  if (data.fail) failing.set(data.fail.method, data.fail.error);
  if (data.mark) test.postMessage({ posted: data.mark });
};

self.onmessage = ({ data }) => {
  if (data.type === "start") test.postMessage({ started: true });
  if (data.type !== "call") return;
  const error = failing.get(data.method);
  failing.delete(data.method);
  test.postMessage({ called: data.method, params: data.params });
  self.postMessage({ type: "reply", id: data.id, ...(error ? { error } : { result: true }) });
};

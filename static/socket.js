// WebSockets by handle, in the worker: text crosses into Python, never live objects.

const sockets = new Map();
let last = 0;

/** Open a connection; `onEvent(event, text)` is told "open", "message" (with its text) and, once, "closed". */
export function open(url, onEvent) {
  const handle = ++last;
  const socket = new WebSocket(url);
  sockets.set(handle, socket);
  socket.onopen = () => onEvent("open", "");
  socket.onmessage = ({ data }) => typeof data === "string" && onEvent("message", data);
  socket.onclose = ({ reason }) => {
    sockets.delete(handle);
    onEvent("closed", reason);
  };
  return handle;
}

/** Queue a message; false where the connection is not open. */
export function send(handle, text) {
  const socket = sockets.get(handle);
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(text);
  return true;
}

/** Close; `onEvent` still hears of it. Closing twice is once. */
export function close(handle) {
  sockets.get(handle)?.close();
}

/** Sockets that are not closed yet, for the leak checks. */
export const count = () => sockets.size;

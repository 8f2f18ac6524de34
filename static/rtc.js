// Data channels between the members of a pool. RTCPeerConnection exists on the main thread only; what travels
// over it is Python's affair (scellis/pool/exchange.py), so here are bytes, and no policy.
//
// worker → page  {type:"rtc", op:"open", peer, offer}   connect to a member; the lower number makes the offer
//                {…, op:"signal", peer, data}           a word of signalling from it, by way of the coordinator
//                {…, op:"send", peer, bytes}            one message of at most 16 KiB; its buffer is transferred
//                {…, op:"close", peer} · {…, op:"reset"}
// page → worker  {type:"rtc", op:"opened", peer} · {…, op:"closed", peer, reason}
//                {…, op:"signal", peer, data} · {…, op:"message", peer, bytes} · {…, op:"sent", peer, size}
//
// No STUN and no TURN server is asked: candidates are this device's own (mDNS names where the browser hides them).

/** Bytes in a channel's buffer above which nothing is added: Chromium closes a channel at about 16 MB. */
const HIGH_WATER_BYTES = 1024 * 1024;
const LOW_WATER_BYTES = 256 * 1024;
/** What left the queue is told to Python in steps of this size: it counts what is under way. */
const REPORT_BYTES = 64 * 1024;
const OPEN_TIMEOUT_MS = 15_000;
/** A connection that does not come back from "disconnected" by then is given up; the next fetch makes a new one. */
const DISCONNECTED_MS = 10_000;

/** Serve Python's wishes for connections over `client` (boot.js): {listen, post}. Returns the connections. */
export function serveRtc(client) {
  const channels = new Channels((message, transfer = []) => client.post({ type: "rtc", ...message }, transfer));
  client.listen("rtc", (message) => channels.receive(message));
  addEventListener("pagehide", () => channels.reset());
  return channels;
}

export class Channels {
  #peers = new Map();
  #post;

  constructor(post) {
    this.#post = post;
  }

  /** Live connections, for the leak checks. */
  get count() {
    return this.#peers.size;
  }

  receive({ op, peer, offer, data, bytes }) {
    if (op === "open") this.#open(peer, offer);
    else if (op === "signal") this.#signal(peer, JSON.parse(data));
    else if (op === "send") this.#peers.get(peer)?.send(bytes);
    else if (op === "close") this.#close(peer, "closed");
    else if (op === "reset") this.reset();
  }

  reset() {
    for (const peer of [...this.#peers.keys()]) this.#close(peer, "closed");
  }

  #open(peer, offer) {
    if (this.#peers.has(peer)) return;
    if (offer) this.#connect(peer, crypto.randomUUID()).offer();
    else this.#post({ op: "signal", peer, data: JSON.stringify({ want: true }) });
  }

  #signal(peer, signal) {
    const known = this.#peers.get(peer);
    if (signal.want) {
      // The other side has no connection. One that is being made answers it; an open one is a leftover of its past.
      if (known?.opening) return;
      this.#close(peer, "replaced");
      this.#connect(peer, crypto.randomUUID()).offer();
    } else if (signal.description?.type === "offer" && known?.id !== signal.id) {
      this.#close(peer, "replaced");
      this.#connect(peer, signal.id).signal(signal);
    } else if (known?.id === signal.id) {
      known.signal(signal);
    }
  }

  #connect(peer, id) {
    const connection = new Connection(id, {
      signal: (signal) => this.#post({ op: "signal", peer, data: JSON.stringify({ id, ...signal }) }),
      opened: () => this.#post({ op: "opened", peer }),
      message: (data) => this.#post({ op: "message", peer, bytes: new Uint8Array(data) }, [data]),
      sent: (size) => this.#post({ op: "sent", peer, size }),
      closed: (reason) => this.#peers.get(peer) === connection && this.#close(peer, reason),
    });
    this.#peers.set(peer, connection);
    return connection;
  }

  #close(peer, reason) {
    const connection = this.#peers.get(peer);
    if (!connection) return;
    this.#peers.delete(peer);
    connection.close();
    this.#post({ op: "closed", peer, reason });
  }
}

class Connection {
  opening = true;
  #connection = new RTCPeerConnection();
  #channel = null;
  #on;
  #queue = [];
  #sent = 0;
  #steps = Promise.resolve(); // descriptions and candidates are taken in one after the other
  #timer;

  constructor(id, on) {
    this.id = id;
    this.#on = on;
    this.#timer = setTimeout(() => on.closed("timeout"), OPEN_TIMEOUT_MS);
    const connection = this.#connection;
    connection.onicecandidate = ({ candidate }) => candidate && on.signal({ candidate });
    connection.onconnectionstatechange = () => this.#stateChanged(connection.connectionState);
    connection.ondatachannel = ({ channel }) => this.#use(channel);
  }

  offer() {
    this.#use(this.#connection.createDataChannel("scellis", { ordered: true }));
    this.#step(async () => {
      await this.#connection.setLocalDescription();
      this.#on.signal({ description: this.#connection.localDescription });
    });
  }

  signal({ description, candidate }) {
    this.#step(async () => {
      if (candidate) await this.#connection.addIceCandidate(candidate);
      if (!description) return;
      await this.#connection.setRemoteDescription(description);
      if (description.type === "offer") {
        await this.#connection.setLocalDescription();
        this.#on.signal({ description: this.#connection.localDescription });
      }
    });
  }

  send(bytes) {
    this.#queue.push(bytes);
    this.#drain();
  }

  close() {
    clearTimeout(this.#timer);
    const connection = this.#connection;
    connection.onicecandidate = connection.onconnectionstatechange = connection.ondatachannel = null;
    if (this.#channel) {
      this.#channel.onopen = this.#channel.onmessage = this.#channel.onclose = null;
      this.#channel.onbufferedamountlow = null;
      this.#channel.close();
    }
    connection.close();
    this.#queue.length = 0;
  }

  #step(work) {
    this.#steps = this.#steps.then(work).catch((error) => {
      if (this.#connection.connectionState !== "closed") this.#on.closed(`signalling: ${error.message}`);
    });
  }

  #use(channel) {
    this.#channel = channel;
    channel.binaryType = "arraybuffer";
    channel.bufferedAmountLowThreshold = LOW_WATER_BYTES;
    channel.onbufferedamountlow = () => this.#drain();
    channel.onmessage = ({ data }) => data instanceof ArrayBuffer && this.#on.message(data);
    channel.onclose = () => this.#on.closed("closed");
    channel.onopen = () => this.#opened();
    if (channel.readyState === "open") this.#opened();
  }

  #opened() {
    if (!this.opening) return;
    this.opening = false;
    clearTimeout(this.#timer);
    this.#on.opened();
    this.#drain();
  }

  #drain() {
    const channel = this.#channel;
    while (channel?.readyState === "open" && this.#queue.length && channel.bufferedAmount < HIGH_WATER_BYTES) {
      const bytes = this.#queue.shift();
      channel.send(bytes);
      this.#sent += bytes.byteLength;
      if (this.#sent >= REPORT_BYTES || !this.#queue.length) {
        this.#on.sent(this.#sent);
        this.#sent = 0;
      }
    }
  }

  #stateChanged(state) {
    clearTimeout(this.#timer);
    if (state === "failed" || state === "closed") this.#on.closed(state);
    else if (state === "disconnected") this.#timer = setTimeout(() => this.#on.closed(state), DISCONNECTED_MS);
    else if (this.opening) this.#timer = setTimeout(() => this.#on.closed("timeout"), OPEN_TIMEOUT_MS);
  }
}

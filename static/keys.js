// This device's key pair: Ed25519, made once, kept in the browser's database, never shown to Python or the page.
//
// WebCrypto makes a private key that cannot be exported, not even by us. Where it lacks Ed25519 (or the page is
// no secure context) @noble/ed25519 signs, and the secret lies in the database as bytes.
import * as noble from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { openDB } from "idb";

noble.hashes.sha512 = sha512;

const SCHEMA = 1;
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * The key pair of the deployment at `scope` (a URL): {key, sign}. `key`: the public key, 64 hexadecimal
 * digits. `sign(bytes)`: a promise of 128. Where the browser stores nothing, a reload makes another device of this one.
 */
export async function openKeys(scope) {
  let pair = null;
  try {
    const database = await openDB(`scellis-keys:${new URL(scope).pathname}:${SCHEMA}`, SCHEMA, {
      upgrade: (db) => db.createObjectStore("keys"),
    });
    pair = (await database.get("keys", "device")) ?? (await keep(database, await make()));
    database.close();
  } catch {
    pair = await make(); // a private window, or a store that fails: the key lasts as long as the worker
  }
  return { key: pair.key, sign: (bytes) => sign(pair, bytes) };
}

async function make() {
  try {
    const { privateKey, publicKey } = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
    return { key: hex(await crypto.subtle.exportKey("raw", publicKey)), privateKey };
  } catch {
    const secret = noble.utils.randomSecretKey();
    return { key: hex(noble.getPublicKey(secret)), secret };
  }
}

/** Two tabs may start at the same time: the first one's key stays, and both use it. */
async function keep(database, pair) {
  const transaction = database.transaction("keys", "readwrite");
  const first = await transaction.store.get("device");
  if (!first) await transaction.store.put(pair, "device");
  await transaction.done;
  return first ?? pair;
}

async function sign({ privateKey, secret }, bytes) {
  if (privateKey) return hex(await crypto.subtle.sign("Ed25519", privateKey, bytes));
  return hex(noble.sign(new Uint8Array(bytes), secret));
}

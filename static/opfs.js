// Large blobs as files in the origin's private file system: <deployment>/<hexadecimal digits of the address>. A file is
// written under a name of its own, flushed, and then moved: by its address there is all of it or nothing.

import { claim, share } from "./locks.js";

const PART = ".part-";

/** Open the files of the deployment `name`. Rejects where the browser refuses them, or any step of writing one. */
export async function openFiles(name) {
  const root = await navigator.storage.getDirectory();
  const files = new Files(await root.getDirectoryHandle(encodeURIComponent(name), { create: true }), `${name}:parts`);
  await files.put("probe", new Uint8Array([1]));
  await files.delete("probe");
  await files.sweep();
  return files;
}

class Files {
  #folder;
  #lock;

  /** `lock` is shared by all tabs that write. */
  constructor(folder, lock) {
    this.#folder = folder;
    this.#lock = lock;
  }

  /** The bytes of a file as an ArrayBuffer, or undefined. */
  async get(name) {
    try {
      return await (await (await this.#folder.getFileHandle(name)).getFile()).arrayBuffer();
    } catch (error) {
      if (error.name === "NotFoundError") return undefined;
      throw error;
    }
  }

  async put(name, data) {
    const writing = await share(this.#lock);
    const part = await this.#folder.getFileHandle(PART + crypto.randomUUID(), { create: true });
    try {
      const access = await part.createSyncAccessHandle();
      try {
        if (access.write(data) !== data.byteLength) throw new DOMException("The disk is full.", "QuotaExceededError");
        access.flush();
      } finally {
        access.close();
      }
      await part.move(this.#folder, name);
    } catch (error) {
      await this.delete(part.name);
      throw error;
    } finally {
      writing.release();
    }
  }

  async delete(name) {
    try {
      await this.#folder.removeEntry(name);
    } catch (error) {
      if (error.name !== "NotFoundError") throw error;
    }
  }

  /** Removes what a kill left half written, unless another tab writes now: the next start does it then. */
  async sweep() {
    const alone = await claim(this.#lock);
    if (!alone) return;
    try {
      for await (const name of this.#folder.keys()) {
        if (name.startsWith(PART)) await this.delete(name);
      }
    } finally {
      alone.release();
    }
  }
}

import { Buffer } from "buffer";
import { boot, channel } from "../bridge/channel.ts";

/** A module that this host does not implement: it can be loaded, but using a member throws its name. */
export function absent(name: string): object {
  const refuse = (member: string) => {
    // A class that is only extended or compared does not throw until it is constructed.
    return class {
      constructor() {
        throw new Error(`${name}.${member} is not in this host`);
      }
    };
  };
  return new Proxy({} as Record<string | symbol, unknown>, {
    get: (has, member) =>
      has[member] ??
      (typeof member === "string" && member !== "default" ? refuse(member) : undefined),
    has: () => true,
  });
}

class Hash {
  readonly #name: string;
  readonly #parts: Uint8Array[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  update(data: string | Uint8Array, encoding?: HashEncoding): this {
    this.#parts.push(typeof data === "string" ? Buffer.from(data, encoding) : data);
    return this;
  }

  digest(encoding?: string): string | Uint8Array {
    const bytes = Buffer.from(digestOf(this.#name, Buffer.concat(this.#parts)));
    return encoding === undefined ? bytes : bytes.toString(encoding as "hex");
  }
}

const digests = new Map<string, Uint8Array>();

/** A digest blocks the window until Node answers: each is requested once. */
function digestOf(name: string, bytes: Buffer): Uint8Array {
  const key = `${name} ${bytes.toString("base64")}`;
  const digest = digests.get(key) ?? (channel.callSync("hash", name, bytes) as Uint8Array);
  digests.set(key, digest);
  return digest;
}

type HashEncoding = "utf8" | "hex" | "base64";

const randomBytes = (size: number) => {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, at + 65_536) as Uint8Array<ArrayBuffer>);
  }
  return bytes;
};

export const nodeCrypto = {
  randomBytes,
  randomFillSync: (bytes: Uint8Array<ArrayBuffer>, offset = 0, size = bytes.length - offset) => {
    crypto.getRandomValues(bytes.subarray(offset, offset + size));
    return bytes;
  },
  randomUUID: () => crypto.randomUUID(),
  createHash: (name: string) => new Hash(name),
  timingSafeEqual: (a: Uint8Array, b: Uint8Array) => {
    if (a.length !== b.length) throw new RangeError("Input buffers must have the same byte length");
    let difference = 0;
    for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0);
    return difference === 0;
  },
  webcrypto: crypto,
};

export const os = {
  EOL: "\n",
  homedir: () => boot.env["HOME"] ?? boot.home,
  platform: () => boot.platform,
  hostname: () => boot.hostname,
  release: () => boot.release,
  type: () => "Linux",
  userInfo: () => ({ username: boot.username, uid: boot.uid, gid: boot.uid, homedir: boot.home }),
};

export const nodeUrl = {
  URL,
  URLSearchParams,
};

export const util = {
  format: (...args: unknown[]) => args.map(String).join(" "),
  types: {},
  TextEncoder,
  TextDecoder,
};

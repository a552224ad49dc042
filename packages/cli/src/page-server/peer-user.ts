import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { endianness } from "node:os";

const ROOT = 0;
const ESTABLISHED = "01";

/** The user at the other end of a connection from this machine. */
export type PeerUser =
  | { readonly kind: "user"; readonly uid: number }
  /** The other end has closed the connection: it cannot be answered, and must not be served. */
  | { readonly kind: "gone" }
  /** Unknown except on Linux, and for programs in another network namespace or on another machine. */
  | { readonly kind: "unknown" };

/** Whether to refuse a connection because another user of this machine opened it. */
export async function isOfAnotherUser(socket: Socket): Promise<boolean> {
  const own = process.geteuid?.();
  if (own === undefined) return false;
  const peer = await findPeerUser(socket);
  // Root can read every file, and therefore every secret.
  return peer.kind === "gone" || (peer.kind === "user" && peer.uid !== own && peer.uid !== ROOT);
}

/** Looks the other end of a connection up in the tables of the system. */
export async function findPeerUser(socket: Socket): Promise<PeerUser> {
  const ends = endsOf(socket);
  if (ends === undefined) return { kind: "gone" };
  const { near, far } = ends;
  const first = await readTables();
  const found = findUser(first, ends);
  if (found !== undefined) return found;
  // In some sandboxes a table exists but does not list our connections.
  if (!first.v4.includes(`${near.v4} 00000000:0000 0A`)) return { kind: "unknown" };
  const second = await readTables();
  // Our end is still listed, so the other end was listed as well if it is on this machine.
  const isOpen = find(second.v4, `${near.v4} ${far.v4} `)?.state === ESTABLISHED;
  return findUser(second, ends) ?? { kind: isOpen ? "unknown" : "gone" };
}

/** An end of a connection as written in the tables; an IPv4 connection may be listed as IPv6. */
interface SocketEnd {
  readonly v4: string;
  readonly v6: string;
}

interface SocketEnds {
  readonly near: SocketEnd;
  readonly far: SocketEnd;
}

function endsOf({
  localAddress,
  localPort,
  remoteAddress,
  remotePort,
}: Socket): SocketEnds | undefined {
  if (localAddress === undefined || localPort === undefined) return undefined;
  if (remoteAddress === undefined || remotePort === undefined) return undefined;
  return { near: toEnd(localAddress, localPort), far: toEnd(remoteAddress, remotePort) };
}

/** Words of 32 bits in the order of this machine, and the port. */
function toEnd(address: string, port: number): SocketEnd {
  const isLittle = endianness() === "LE";
  const bytes = Buffer.from(
    address
      .replace(/^::ffff:/, "")
      .split(".")
      .map(Number),
  );
  const word = (isLittle ? bytes.reverse() : bytes).toString("hex");
  const v4 = `${word}:${port.toString(16).padStart(4, "0")}`.toUpperCase();
  return { v4, v6: `${"0".repeat(16)}${isLittle ? "FFFF0000" : "0000FFFF"}${v4}` };
}

/** Linux's tables of connections. */
interface Tables {
  readonly v4: string;
  readonly v6: string;
}

let running: Promise<unknown> = Promise.resolve();
let next: Promise<Tables> | undefined;

/** Reads the current tables. Concurrent callers share one reading at a time. */
function readTables(): Promise<Tables> {
  next ??= running.then(async () => {
    next = undefined;
    const reading = Promise.all(["/proc/net/tcp", "/proc/net/tcp6"].map(readTable));
    running = reading;
    const [v4 = "", v6 = ""] = await reading;
    return { v4, v6 };
  });
  return next;
}

/** Empty if the table is missing or unreadable. */
function readTable(path: string): Promise<string> {
  return readFile(path, "latin1").catch(() => "");
}

function findUser({ v4, v6 }: Tables, { near, far }: SocketEnds): PeerUser | undefined {
  const entry = find(v4, `${far.v4} ${near.v4} `) ?? find(v6, `${far.v6} ${near.v6} `);
  if (entry === undefined) return undefined;
  // The system lists a socket closed by its program as root's: its user is no longer available.
  return entry.inode === "0" ? { kind: "gone" } : { kind: "user", uid: entry.uid };
}

/** `sl local remote state queues timer retransmits uid timeout inode …`, by the two addresses. */
function find(table: string, ends: string) {
  const at = table.indexOf(ends);
  if (at === -1) return undefined;
  const [, , state, , , , uid, , inode] = table.slice(at, at + 256).split(/\s+/);
  return { state, uid: Number(uid), inode };
}

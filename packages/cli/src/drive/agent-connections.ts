import { readdir, readFile, readlink } from "node:fs/promises";
import type { Unsubscribe } from "@idewire/core";
import type { IdeListener, ListenIdeOptions } from "@idewire/node-server";
import { processFacts } from "@idewire/node-server/internal/files";

type WrapTransport = NonNullable<ListenIdeOptions["wrapTransport"]>;

/** Identifies the processes of connected agents: by the process id that they sent, or by the port of their end. */
export class AgentConnections {
  readonly #ports = new Map<string, number>();
  #listener: IdeListener | undefined;
  #nextPort: number | undefined;

  /** For `listenIde`, before anything else that observes its transports. */
  wrapper(next: WrapTransport | undefined): WrapTransport {
    return (transport, origin) => {
      // Its session is announced in the same turn.
      this.#nextPort = origin.port;
      return next?.(transport, origin) ?? transport;
    };
  }

  watch(listener: IdeListener): Unsubscribe {
    this.#listener = listener;
    const undo = [
      listener.on("connected", ({ id }) => {
        if (this.#nextPort !== undefined) this.#ports.set(id, this.#nextPort);
      }),
      listener.on("disconnected", ({ id }) => this.#ports.delete(id)),
    ];
    return () => {
      for (const each of undo) each();
    };
  }

  /**
   * Why a process may not review a diff; undefined when it may. That prevents accidents and commands hidden in a
   * longer line, but not deliberate cheating by a program of the same user.
   */
  async refusalOf(pid: number): Promise<string | undefined> {
    const facts = processFacts(pid);
    if (facts === undefined) return "this system does not identify the requesting process";
    if (facts.foregroundGroup <= 0) return `process ${pid} has no terminal`;
    const agents = new Set(
      [...(this.#listener?.sessions ?? [])].flatMap(({ pid: own }) => own ?? []),
    );
    const sockets = await socketsOf(new Set(this.#ports.values()));
    for (let each = pid; each > 1; each = processFacts(each)?.parent ?? 0) {
      if (!agents.has(each) && !(await holdsOne(each, sockets))) continue;
      return `process ${each}, which has started this one, is a connected agent`;
    }
    return undefined;
  }
}

const ESTABLISHED = "01";

/** The links in /proc of the sockets with these local ports; empty except on Linux. */
async function socketsOf(ports: ReadonlySet<number>): Promise<ReadonlySet<string>> {
  if (ports.size === 0) return new Set();
  const tables = ["/proc/net/tcp", "/proc/net/tcp6"].map((path) =>
    readFile(path, "latin1").catch(() => ""),
  );
  const rows = (await Promise.all(tables)).join("\n").split("\n");
  return new Set(
    rows.flatMap((row) => {
      // sl, local and remote address, state, queues, timer, retransmits, uid, time-out, inode
      const [, near = "", , state, , , , , , inode] = row.trim().split(/\s+/);
      const port = Number.parseInt(near.slice(near.indexOf(":") + 1), 16);
      return state === ESTABLISHED && ports.has(port) ? [`socket:[${inode}]`] : [];
    }),
  );
}

async function holdsOne(pid: number, sockets: ReadonlySet<string>): Promise<boolean> {
  // This process has the other end of each, and may be an ancestor of the reviewing process.
  if (sockets.size === 0 || pid === process.pid) return false;
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const links = await Promise.all(
    names.map((name) => readlink(`${folder}/${name}`).catch(() => "")),
  );
  return links.some((link) => sockets.has(link));
}

import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { until } from "../reference-clients/transcript.ts";

const CHUNK = Buffer.alloc(1 << 16, "x");

/** The bytes of an unauthenticated client. */
export interface Attack {
  /** Sent first. */
  readonly head: string;
  /** Sent repeatedly while the server reads. */
  readonly rest?: Buffer;
}

/** The kinds of attack on any HTTP port. */
export function attacksOn(port: number, path: string, more: readonly string[] = []) {
  const lines = (first: string, ...headers: readonly string[]) =>
    [`${first} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers, "", ""].join("\r\n");
  const upgrade = lines(
    `GET ${path}`,
    ...["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"],
    ...["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", ...more],
  );
  // The head of a masked frame of 64 MiB.
  const frame = Buffer.concat([Buffer.from("82ff0000000004000000", "hex"), CHUNK]);
  const post = lines(
    `POST ${path}`,
    "Content-Type: application/json",
    "Content-Length: 1000000000",
  );
  const get = lines(`GET ${path}`);
  return {
    "an upgrade, and frames of 64 MiB": { head: upgrade + frame.toString("latin1"), rest: CHUNK },
    "an upgrade, and small frames": {
      ...{ head: upgrade, rest: Buffer.from("81810000000078".repeat(9_000), "hex") },
    },
    "a body of 1 GB": { head: post, rest: CHUNK },
    "a head without an end": { head: `GET ${path} HTTP/1.1\r\nX: `, rest: CHUNK },
    "a head of many small lines": { head: `GET ${path} HTTP/1.1\r\n${"ab:cd\r\n".repeat(1_000)}` },
    "thousands of requests at once": { head: get, rest: Buffer.from(get.repeat(1_500)) },
    "nothing at all": { head: "" },
  } satisfies Readonly<Record<string, Attack>>;
}

/** Many unauthenticated clients of the same kind. */
export interface ClientGroup {
  readonly sockets: readonly Socket[];
  /** The number of connected clients. */
  connected(): number;
  disconnect(): void;
}

/** Opens many connections to a port, which read nothing and send as much as possible. */
export function openClientGroup(port: number, count: number, { head, rest }: Attack): ClientGroup {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.on("error", () => socket.destroy());
    const push = () => {
      while (rest !== undefined && !socket.destroyed && socket.write(rest));
    };
    socket.on("drain", push);
    socket.on("connect", () => {
      socket.write(head, "latin1");
      push();
    });
    return socket;
  });
  const group: ClientGroup = {
    sockets,
    connected: () => sockets.filter(({ closed }) => !closed).length,
    disconnect: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
  onTestFinished(() => group.disconnect());
  return group;
}

/** Waits until the server has closed all of them; they start to read, since only a read detects the close. */
export function untilCut(group: ClientGroup, timeoutMs: number): Promise<unknown> {
  for (const socket of group.sockets) socket.resume();
  return until("the server to close the last connection", () => group.connected() === 0, timeoutMs);
}

/** Resident memory of a process, in bytes. */
function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** The peak growth of a process's memory during an operation. */
export async function growthWhile(pid: number, act: () => Promise<unknown>): Promise<number> {
  const before = memoryOf(pid);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(pid));
  }, 20);
  try {
    await act();
  } finally {
    clearInterval(timer);
  }
  return Math.max(most, memoryOf(pid)) - before;
}

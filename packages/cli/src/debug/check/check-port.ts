import { access } from "node:fs/promises";
import { setImmediate } from "node:timers";
import { MAX_FRAME_BYTES } from "@idewire/core/internal";
import type { ConnectAttempt, ConnectOutcome } from "@idewire/devtools/checks";
import { createNodeWebSocketTransport } from "@idewire/node-server";
import type { OwnConnections } from "@idewire/node-server/internal";
import { FrameCache, platform, SUB_PROTOCOL, TOKEN_HEADER } from "@idewire/node-server/internal";
import { WebSocket } from "ws";
import { readDiscoveryFacts } from "./discovery-facts.ts";
import type { FoundTarget } from "./find-target.ts";
import {
  isOverHttp,
  type NodeCheckPort,
  openHttpCheckPort,
  WRONG_TOKEN,
} from "./http-check-port.ts";

const UPGRADE_MS = 5_000;
const CLOSE_TIMEOUT_MS = 1_000;

/** Reads the lock file, and connects to the address in it. */
export async function openCheckPort(
  target: FoundTarget,
  own?: OwnConnections,
): Promise<NodeCheckPort> {
  if (isOverHttp(target)) return openHttpCheckPort(target);
  const sockets = new Set<WebSocket>();
  const isHere = target.host === "127.0.0.1";
  return {
    platform,
    discovery: await readDiscoveryFacts(target),
    ...(isHere && { fileExists }),
    connect(attempt) {
      if (target.port === undefined) {
        return Promise.resolve({ kind: "silent", message: "the lock file names no port" });
      }
      const webSocket = dial({ ...target, port: target.port }, attempt, own);
      sockets.add(webSocket);
      webSocket.once("close", () => sockets.delete(webSocket));
      return outcomeOf(webSocket);
    },
    close() {
      for (const webSocket of sockets) webSocket.terminate();
    },
  };
}

function fileExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function dial(
  { host, port, token }: FoundTarget & { readonly port: number },
  attempt: ConnectAttempt,
  own: OwnConnections | undefined,
): WebSocket {
  const sent = attempt.token === "wrong" ? WRONG_TOKEN : token;
  const isSent = attempt.token !== "missing" && sent !== undefined;
  // The types of ws lack closeTimeout, so the options are not a fresh literal.
  const options = {
    headers: {
      ...(isSent && { [TOKEN_HEADER]: sent }),
      ...(attempt.host !== undefined && { Host: `${attempt.host}:${port}` }),
    },
    ...(attempt.origin !== undefined && { origin: attempt.origin }),
    handshakeTimeout: UPGRADE_MS,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    closeTimeout: CLOSE_TIMEOUT_MS,
    ...(own && { createConnection: own.connect }),
  };
  const { path = "/", protocol = SUB_PROTOCOL } = attempt;
  const name = host.includes(":") ? `[${host}]` : host;
  return new WebSocket(`ws://${name}:${port}${path}`, [protocol], options);
}

function outcomeOf(webSocket: WebSocket): Promise<ConnectOutcome> {
  return new Promise((resolve) => {
    let isUpgraded = false;
    webSocket.once("upgrade", ({ socket }) => {
      isUpgraded = true;
      webSocket.once("open", () => {
        const transport = createNodeWebSocketTransport(webSocket, socket, new FrameCache());
        // Frames that came with the upgrade wait until a listener can be added.
        webSocket.pause();
        setImmediate(() => webSocket.resume());
        resolve({
          kind: "open",
          transport,
          ping: () => pingOf(webSocket),
          cut: () => webSocket.terminate(),
        });
      });
    });
    webSocket.once("unexpected-response", (request, { statusCode = 0 }) => {
      resolve({ kind: "refused", status: statusCode });
      request.destroy();
    });
    webSocket.on("error", ({ message }) => {
      resolve({ kind: isUpgraded ? "unusable" : "silent", message });
    });
  });
}

function pingOf(webSocket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    webSocket.once("pong", () => resolve());
    webSocket.ping();
  });
}

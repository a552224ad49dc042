import { rmSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { toNativePath } from "@idewire/core";
import {
  commandOutcomes,
  explainFailure,
  isEditorVerb,
  serveCommands,
} from "@idewire/core/internal";
import { Peer, RpcError, RpcErrorCode, ToolFailure } from "@idewire/core/rpc";
import { onProcessExit, platform } from "@idewire/node-server/internal";
import type { Environment } from "@idewire/node-server/internal/files";
import { listenPrivately } from "@idewire/node-server/internal/files";
import { createStdioTransport } from "@idewire/node-server/stdio";
import { toRange } from "../serve/terminal/prompt/place.ts";
import { controlPath, FIND_RANGE, MAX_CONTROL_BYTES, pathFault } from "./control-path.ts";
import { typedRange } from "./control-protocol.ts";
import { type ControlTarget, runControl } from "./control-target.ts";
import { serveReviews } from "./review-server.ts";

/** A key binding opens a connection only briefly. */
const MAX_CONNECTIONS = 32;

/** And sends one request. */
const MODEST = { maxRunning: 8, maxRunningSize: 1 << 25 };

const editorVerbs = Object.keys(commandOutcomes).filter(isEditorVerb);

/** The socket on which an editor accepts commands. */
export interface ControlServer {
  close(): void;
}

export interface ControlOptions {
  readonly target: ControlTarget;
  readonly env: Environment;
  /** Called with the reason if a folder accepts no commands; it is served nevertheless. */
  readonly warn: (words: string) => void;
}

/**
 * Accepts the commands of `idewire select` and the like: a socket for each of the editor's folders, which only
 * the user may open. Only the process that has claimed the folders may call it.
 */
export async function openControl({ target, env, warn }: ControlOptions): Promise<ControlServer> {
  const sockets = new Map<string, OpenSocket>();
  let isClosed = false;
  const follow = async () => {
    const paths = await socketPaths(target, env);
    for (const [path, socket] of sockets) if (!paths.includes(path)) closeSocket(path, socket);
    for (const path of paths) {
      if (sockets.has(path) || isClosed) continue;
      try {
        sockets.set(path, await openSocket(path, target));
      } catch (error) {
        warn(`Key bindings do not reach the editor: ${(error as Error).message}`);
      }
    }
    if (isClosed) for (const [path, socket] of sockets) closeSocket(path, socket);
  };
  const closeSocket = (path: string, socket: OpenSocket) => {
    sockets.delete(path);
    socket.close();
  };
  let following = follow();
  const forget = target.host.on("workspace", () => {
    following = following.then(follow);
  });
  await following;
  return {
    close() {
      isClosed = true;
      forget();
      for (const [path, socket] of sockets) closeSocket(path, socket);
    },
  };
}

async function socketPaths({ host }: ControlTarget, env: Environment): Promise<readonly string[]> {
  const real = host.workspace().folders.map(async ({ path }) => {
    const native = toNativePath(path, platform);
    return controlPath(env, await realpath(native).catch(() => native));
  });
  return Promise.all(real);
}

interface OpenSocket {
  close(): void;
}

async function openSocket(path: string, target: ControlTarget): Promise<OpenSocket> {
  const fault = pathFault(path);
  if (fault !== undefined) throw new Error(fault);
  if (await answers(path)) throw new Error("another idewire on this folder receives them");
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    answer(socket, target);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listenPrivately(server, path);
  // The socket must neither keep the process alive nor end it.
  server.unref();
  server.on("error", () => {});
  const remove = () => {
    if (platform !== "windows") rmSync(path, { force: true });
  };
  const forgetExit = onProcessExit(remove);
  return {
    close() {
      remove();
      forgetExit();
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Whether an editor already accepts commands there: one for remote agents may serve the same folder. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

function answer(socket: Socket, target: ControlTarget): void {
  const options = { maxFrameBytes: MAX_CONTROL_BYTES };
  const peer = new Peer(createStdioTransport(socket, socket, options), MODEST);
  const wasShown = serveReviews(peer, target.reviews);
  peer.handle(FIND_RANGE, ({ params }) => {
    const range = typedRange.parse(params ?? {});
    if (!range.ok) throw new RpcError(RpcErrorCode.InvalidParams, range.issue);
    const { path, start, end } = range.value;
    return explainFailure(() =>
      forPerson(async () => toRange(start, end, await target.host.read(target.locate(path)))),
    );
  });
  serveCommands(peer, {
    verbs: editorVerbs,
    issueOf: (command) =>
      command.do === "answerDiff" && !wasShown(command.id)
        ? `the diff ${command.id} must be shown before it is answered`
        : undefined,
    run: (command) => forPerson(() => runControl(command, target)),
  });
}

/** The person runs the client, so errors are for the person. */
async function forPerson<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new ToolFailure(error instanceof Error ? error.message : String(error));
  }
}

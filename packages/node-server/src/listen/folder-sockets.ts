import { connect, createServer, type Server, type Socket } from "node:net";
import { answerLimits } from "@idewire/core/internal";
import { Peer } from "@idewire/core/rpc";
import type { Environment } from "../files/directories.ts";
import { controlPath, MAX_CONTROL_BYTES, pathFault } from "../files/folder-socket.ts";
import { listenPrivately, removeSocket } from "../files/private-socket.ts";
import { onProcessExit } from "../process/exit.ts";
import { platform } from "../process/platform.ts";
import { createStdioTransport } from "../stdio/stdio-transport.ts";
import { MAX_EDITORS } from "./join/joiners.ts";

/** Other editors on the folder stay; commands connect briefly. */
const MAX_CONNECTIONS = MAX_EDITORS + 64;

/** A command sends one request. */
const MODEST = { maxRunning: 8, maxRunningSize: 1 << 25, ...answerLimits };

export interface FolderSocketsOptions {
  readonly env: Environment;
  /** Called with each connection, before anything of it is read. */
  readonly answer: (peer: Peer) => void;
  /** Called with the reason if a folder cannot have a socket; it is served nevertheless. */
  readonly warn: (error: Error) => void;
}

interface OpenSocket {
  readonly server: Server;
  readonly remove: () => void;
}

/**
 * The sockets of the folders that this process has claimed, which only the user may open: over them other processes
 * send commands, and join with their own editors.
 */
export class FolderSockets {
  readonly #options: FolderSocketsOptions;
  readonly #open = new Map<string, OpenSocket>();
  /** Why a folder has no socket, by its path. */
  readonly #faults = new Map<string, string>();
  readonly #connections = new Set<Socket>();

  constructor(options: FolderSocketsOptions) {
    this.#options = options;
  }

  /** Listens for these folders, and no longer for any other. */
  async follow(folders: readonly string[]): Promise<void> {
    const paths = folders.map((folder) => controlPath(this.#options.env, folder));
    for (const [path, socket] of this.#open) if (!paths.includes(path)) this.#close(path, socket);
    for (const path of this.#faults.keys()) if (!paths.includes(path)) this.#faults.delete(path);
    for (const path of paths) {
      if (this.#open.has(path)) continue;
      try {
        this.#open.set(path, await this.#listen(path));
        this.#faults.delete(path);
      } catch (error) {
        this.#report(path, (error as Error).message);
      }
    }
  }

  /** Each fault is reported once, however often the folders are followed. */
  #report(path: string, fault: string): void {
    if (this.#faults.get(path) === fault) return;
    this.#faults.set(path, fault);
    const cost = "Commands from other terminals do not reach this editor";
    this.#options.warn(new Error(`${cost}: ${fault}`));
  }

  /** Removes the sockets, synchronously; open connections stay. */
  stop(): void {
    for (const [path, socket] of this.#open) this.#close(path, socket);
  }

  /** Removes the sockets, and closes every connection. */
  close(): void {
    this.stop();
    for (const connection of this.#connections) connection.destroy();
  }

  #close(path: string, { server, remove }: OpenSocket): void {
    this.#open.delete(path);
    remove();
    server.close();
  }

  async #listen(path: string): Promise<OpenSocket> {
    const fault = pathFault(path);
    if (fault !== undefined) throw new Error(fault);
    if (await answers(path)) throw new Error("another idewire on this folder receives them");
    const server = createServer((socket) => this.#connected(socket));
    server.maxConnections = MAX_CONNECTIONS;
    await listenPrivately(server, path);
    // The socket must neither keep the process alive nor end it.
    server.unref();
    server.on("error", () => {});
    const unlink = () => {
      if (platform !== "windows") removeSocket(path);
    };
    const forgetExit = onProcessExit(unlink);
    const remove = () => {
      unlink();
      forgetExit();
    };
    return { server, remove };
  }

  #connected(socket: Socket): void {
    this.#connections.add(socket);
    socket.once("close", () => this.#connections.delete(socket));
    const transport = createStdioTransport(socket, socket, { maxFrameBytes: MAX_CONTROL_BYTES });
    this.#options.answer(new Peer(transport, MODEST));
  }
}

/** Whether an editor listens there already: one for remote agents may serve the same folder. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

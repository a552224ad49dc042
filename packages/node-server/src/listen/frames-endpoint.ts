import { createServer, type Server, type Socket } from "node:net";
import type { IdeServer } from "@idewire/core";
import { CloseCode, IdewireError } from "@idewire/core/rpc";
import { stateDirectory } from "../files/directories.ts";
import { listenPrivately, removeSocket } from "../files/private-socket.ts";
import { UnadmittedSockets } from "../loopback-server/unadmitted-sockets.ts";
import type { AgentEndpoint, AgentEndpointOptions, EndpointPlace } from "./agent-endpoint.ts";
import { askAt, findSocket } from "./ask-elsewhere.ts";
import { type AnswerElsewhere, FrameClient } from "./frame-client.ts";
import { SharedSocket } from "./shared-socket.ts";
import { socketPlace } from "./socket-place.ts";

/**
 * Sockets on which agents send frames with their length, and no token: their folders are the user's alone. One is
 * this editor's own. At the other the agents look for any editor of the user: whichever editor listens there passes
 * a frame on to the one that serves the folder it asks about, by that one's own socket.
 */
export class FramesEndpoint implements AgentEndpoint {
  readonly #ide: IdeServer;
  readonly #options: AgentEndpointOptions;
  readonly #server: Server;
  readonly #shared: SharedSocket | undefined;
  /** All clients are equal: above the limit they displace one another. */
  readonly #sockets = new UnadmittedSockets();
  readonly #clients = new Set<FrameClient>();
  readonly #admitting: Promise<void>;
  #admit: () => void = () => undefined;
  #socketPath = "";
  #sharedPath = "";

  constructor(ide: IdeServer, options: AgentEndpointOptions) {
    this.#ide = ide;
    this.#options = options;
    this.#admitting = new Promise((resolve) => {
      this.#admit = resolve;
    });
    this.#server = createServer((socket) => this.#connect(socket, undefined));
    const { endpoint } = ide.dialect;
    const known = endpoint.socket?.(process.getuid?.() ?? 0);
    if (known === undefined) return;
    this.#shared = new SharedSocket({
      place: async () => {
        this.#sharedPath = await socketPlace(options.env, known);
        return this.#sharedPath;
      },
      onconnection: (socket) => this.#connect(socket, (frame) => this.#askElsewhere(frame)),
      warn: (error) => options.warn(error),
    });
  }

  /** @throws IdewireError `port-in-use`, `file-system` when a folder cannot be used */
  async listen({ socketPath = "" }: EndpointPlace): Promise<EndpointPlace> {
    try {
      await listenPrivately(this.#server, socketPath);
    } catch (cause) {
      if (cause instanceof IdewireError) throw cause;
      const text = `The socket ${socketPath} is not available: ${(cause as Error).message}`;
      throw new IdewireError("port-in-use", text, { cause });
    }
    this.#socketPath = socketPath;
    await this.#shared?.open();
    return { socketPath };
  }

  urlAt(): string {
    return `unix:${this.#sharedPath || this.#socketPath}`;
  }

  admit(): void {
    this.#admit();
  }

  async close(): Promise<void> {
    this.#admit();
    await this.#shared?.close();
    if (this.#server.listening) {
      await new Promise<void>((resolve) => {
        this.#server.close(() => resolve());
        this.#ide.close(CloseCode.GoingAway, "The editor has closed");
        for (const client of this.#clients) client.close(CloseCode.GoingAway, "");
        this.#sockets.destroy();
      });
    }
    this.#removeOwn();
  }

  abandon(): void {
    this.#shared?.abandon();
    this.#removeOwn();
  }

  #removeOwn(): void {
    if (this.#socketPath !== "") removeSocket(this.#socketPath);
  }

  #connect(socket: Socket, elsewhere: AnswerElsewhere | undefined): void {
    // A client that disconnects while it waits.
    socket.on("error", () => socket.destroy());
    this.#sockets.add(socket);
    void this.#admitting.then(() => {
      if (!socket.destroyed) this.#accept(socket, elsewhere);
    });
  }

  #accept(socket: Socket, elsewhere: AnswerElsewhere | undefined): void {
    const { limits, budget, wrapTransport } = this.#options;
    const { dialect } = this.#ide;
    const client = new FrameClient(socket, {
      ...{ limits, budget, elsewhere },
      open: (frames) => {
        const transport = dialect.wire?.(frames) ?? frames;
        const from = { dialect: dialect.id, port: undefined, socketPath: this.#sharedPath };
        return this.#ide.open(wrapTransport?.(transport, from) ?? transport);
      },
    });
    this.#clients.add(client);
    socket.once("close", () => this.#clients.delete(client));
  }

  async #askElsewhere(frame: string): Promise<string | undefined> {
    const { endpoint, id } = this.#ide.dialect;
    const folder = endpoint.folderOf?.(frame);
    if (folder === undefined) return undefined;
    const socketPath = await findSocket(stateDirectory(this.#options.env), folder, id);
    if (socketPath === undefined || socketPath === this.#socketPath) return undefined;
    return askAt(socketPath, frame);
  }
}

import type { RequestListener } from "node:http";
import { z } from "zod";
import { SELECTION_METHOD, selectionOf } from "../bench-host.ts";
import { type Channel, ChannelServer, createMemoryChannels, openChannel } from "../channel.ts";
import { listenOn } from "../http-listening.ts";
import type { Client, Implementation, Listening, ServerOptions } from "../implementation.ts";
import { fillerNames, toolTexts } from "../tool-texts.ts";

/** The common part of both generations of the official SDK, as used by the benchmarks. */
export interface Sdk {
  createServer(): SdkServer;
  createClient(): SdkClient;
  /** Their own transports over stdio. */
  createStdioServer(): SdkTransportLike;
  createStdioClient(command: string, args: string[]): SdkTransportLike;
  createHttpClient(url: URL, headers: Readonly<Record<string, string>>): SdkTransportLike;
  /** Only for MCP 2026-07-28; absent in the generation before it. */
  createModernClient?(): SdkClient;
  /** The HTTP handler. */
  createHttpListener(create: () => SdkServer, options: ServerOptions): Promise<RequestListener>;
  /** Reports the progress of a call through the tool's `extra`. */
  report(extra: unknown): Promise<void>;
}

/** Their transport. */
export type SdkTransportLike = Pick<SdkTransport, "start" | "send" | "close">;

export interface SdkServer {
  registerTool(name: string, config: ToolConfig, run: ToolRun): unknown;
  connect(transport: SdkTransportLike): Promise<void>;
  /** Its low-level server. */
  readonly server: {
    notification(message: { method: string; params: Record<string, unknown> }): Promise<void>;
  };
}

export interface SdkClient {
  connect(transport: SdkTransportLike): Promise<void>;
  callTool(params: { name: string; arguments: Arguments }): Promise<unknown>;
  listTools(): Promise<unknown>;
  close(): Promise<void>;
}

type Arguments = Record<string, string>;
type ToolConfig = { description: string; inputSchema: z.ZodObject };
type ToolRun = (args: Arguments, extra: unknown) => ToolResult | Promise<ToolResult>;
type ToolResult = { content: { type: "text"; text: string }[] };

/** Neither generation has a WebSocket server: a minimal transport for their messages. */
export class SdkTransport {
  onmessage: ((message: unknown) => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onclose: (() => void) | undefined;
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
    channel.onframe = (frame) => this.#receive(frame);
  }

  async start(): Promise<void> {}

  async send(message: unknown): Promise<void> {
    this.#channel.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    await this.#channel.close();
    this.onclose?.();
  }

  #receive(frame: string): void {
    let message: unknown;
    try {
      message = JSON.parse(frame);
    } catch (error) {
      this.onerror?.(error as Error);
      return;
    }
    this.onmessage?.(message);
  }
}

/** Creates the contestant of a generation. */
export function createSdkImplementation(sdk: Sdk): Implementation {
  return {
    async joinInMemory(options) {
      const [near, far] = createMemoryChannels();
      await createServer(sdk, options).connect(new SdkTransport(far));
      return connect(sdk, new SdkTransport(near));
    },
    async listen(options) {
      const servers = new Set<SdkServer>();
      const listener = await ChannelServer.listen((channel) => {
        const server = createServer(sdk, options);
        servers.add(server);
        void server.connect(new SdkTransport(channel));
      });
      return listening(listener, servers);
    },
    async connectHttp({ url, headers }, { modern = false }) {
      const client = modern ? sdk.createModernClient?.() : sdk.createClient();
      if (client === undefined) throw new Error("This generation does not support that era");
      return toClient(client, sdk.createHttpClient(new URL(url), headers));
    },
    connect: async (server) => connect(sdk, new SdkTransport(await openChannel(server))),
    async listenHttp(options) {
      return listenOn(await sdk.createHttpListener(() => createServer(sdk, options), options));
    },
    serveStdio: (options) => createServer(sdk, options).connect(sdk.createStdioServer()),
    connectStdio: (command, args) => connect(sdk, sdk.createStdioClient(command, [...args])),
  };
}

function listening(listener: ChannelServer, servers: ReadonlySet<SdkServer>): Listening {
  return {
    url: listener.url,
    headers: {},
    get readyCount() {
      return listener.sockets.size;
    },
    broadcast(text) {
      const params = selectionOf(text);
      for (const { server } of servers) {
        void server.notification({ method: SELECTION_METHOD, params });
      }
    },
    close: () => listener.close(),
  };
}

/** One server per connection, as the SDK requires. */
function createServer(sdk: Sdk, { toolCount, progress = false }: ServerOptions): SdkServer {
  const server = sdk.createServer();
  const echo = { description: toolTexts.echo, inputSchema: z.object({ text: z.string() }) };
  const reporting: ToolRun = async ({ text }, extra) => {
    await sdk.report(extra);
    return textResult(text);
  };
  server.registerTool("echo", echo, progress ? reporting : ({ text }) => textResult(text));
  const diff = { description: toolTexts.openDiff, inputSchema: diffSchema };
  server.registerTool("openDiff", diff, (args) => {
    return textResult("FILE_SAVED", args["new_file_contents"]);
  });
  for (const name of fillerNames(toolCount)) {
    const filler = { description: toolTexts.filler, inputSchema: fillerSchema };
    server.registerTool(name, filler, ({ filePath }) => textResult(filePath));
  }
  return server;
}

function connect(sdk: Sdk, transport: SdkTransportLike): Promise<Client> {
  return toClient(sdk.createClient(), transport);
}

async function toClient(client: SdkClient, transport: SdkTransportLike): Promise<Client> {
  await client.connect(transport);
  return {
    echo: (text) => client.callTool({ name: "echo", arguments: { text } }),
    listTools: () => client.listTools(),
    openDiff(text) {
      const args = { old_file_path: "/w/a", new_file_contents: text, tab_name: "a" };
      return client.callTool({ name: "openDiff", arguments: args });
    },
    close: () => client.close(),
  };
}

function textResult(...texts: readonly (string | undefined)[]): ToolResult {
  return { content: texts.map((text = "") => ({ type: "text", text })) };
}

const diffSchema = z.object({
  old_file_path: z.string(),
  new_file_path: z.string().optional(),
  new_file_contents: z.string(),
  tab_name: z.string(),
});

const fillerSchema = z.object({
  filePath: z.string().describe(toolTexts.filePath),
  line: z.number().optional().describe(toolTexts.line),
  preview: z.boolean().optional().describe(toolTexts.preview),
});

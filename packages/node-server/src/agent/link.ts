import { randomUUID } from "node:crypto";
import { pathToFileURL } from "node:url";
import { McpClient, Roots, type ToolDescription } from "@idewire/core/client";
import { asObject, type EndpointSpec, infoOf } from "@idewire/core/internal";
import {
  CloseCode,
  type CloseReason,
  IdewireError,
  type Params,
  type Transport,
} from "@idewire/core/rpc";
import type { Implementation } from "@idewire/core/server";
import { createHttpTransport, type Fetch } from "@idewire/http/internal";
import { type EditorAtPort, type FoundEditor, isAtPort } from "../discovery/find-editors.ts";
import type { OwnConnections } from "../process/own-connections.ts";
import { dial } from "./dial.ts";
import { createSocketFetch } from "./socket-fetch.ts";

export interface LinkOptions extends Implementation {
  /** The dialect there; Claude Code's by default. */
  readonly endpoint?: EndpointSpec;
  readonly pid: number;
  /** Native. */
  readonly cwd: string;
  readonly handshakeTimeoutMs: number;
  readonly maxFrameBytes?: number | undefined;
  /** Registers the connection as our own. */
  readonly own?: OwnConnections | undefined;
  readonly onnotification: (method: string, params: Params | undefined) => void;
  readonly wrapTransport?: (transport: Transport) => Transport;
}

/** A connection after its handshake. */
export interface AgentLink {
  readonly client: McpClient;
  readonly tools: readonly ToolDescription[];
}

/**
 * Connects to an editor and does the handshake as Claude Code does: `initialize`, `initialized`, `ide_connected`,
 * then `tools/list` (docs/clients/claude-code.md, Handshake). Over HTTP the agents of the other families do the
 * same without `ide_connected`.
 * @throws IdewireError `unreachable`, `unauthorized`, `not-an-editor`, `version-mismatch`, `closed`, `timeout` or
 * `protocol`; RpcError when the editor refuses
 */
export async function openLink(editor: FoundEditor, options: LinkOptions): Promise<AgentLink> {
  const { handshakeTimeoutMs: timeoutMs, maxFrameBytes, own, endpoint } = options;
  const isHttp = endpoint !== undefined && endpoint.kind !== "web-socket";
  const { transport, closed } = isHttp
    ? dialHttp(editor, endpoint, options)
    : await dial(requirePort(editor), { timeoutMs, maxFrameBytes, own });
  let reason: CloseReason | undefined;
  void closed.then((seen) => {
    reason = seen;
  });
  let client: McpClient | undefined;
  try {
    client = await McpClient.connect(options.wrapTransport?.(transport) ?? transport, {
      era: "legacy",
      ...infoOf(options),
      features: [new Roots(() => [{ uri: pathToFileURL(options.cwd).href }])],
      onnotification: options.onnotification,
      timeoutMs,
    });
    if (!isHttp) client.peer.notify("ide_connected", { pid: options.pid });
    const hasTools = client.server.capabilities["tools"] !== undefined;
    return { client, tools: hasTools ? await client.listTools({ timeoutMs }) : [] };
  } catch (error) {
    void client?.close(CloseCode.PolicyViolation, "The handshake failed");
    throw explain(error, reason, editor);
  }
}

function requirePort(editor: FoundEditor): EditorAtPort {
  if (isAtPort(editor)) return editor;
  throw new IdewireError("not-an-editor", `${editor.lockFile} names no port`);
}

/** Requests are sent one by one, so no connection is made yet. */
function dialHttp(editor: FoundEditor, endpoint: EndpointSpec, options: LinkOptions) {
  const transport = createEditorTransport(editor, endpoint, options);
  return { transport, closed: new Promise<CloseReason>(() => undefined) };
}

/** Connects to an editor over HTTP, at its port or its socket, as the agents of its family do. */
export function createEditorTransport(
  { host, port, socketPath, token = "" }: FoundEditor,
  { scheme = "Bearer", introduce }: EndpointSpec,
  { pid, maxFrameBytes }: Pick<LinkOptions, "pid" | "maxFrameBytes">,
): Transport {
  const name = host.includes(":") ? `[${host}]` : host;
  const isAtSocket = port === undefined && socketPath !== undefined;
  const authority = isAtSocket ? "localhost" : `${name}:${port}`;
  const transport = createHttpTransport(`http://${authority}/mcp`, {
    headers: {
      authorization: `${scheme} ${token}`,
      ...introduce?.({ session: randomUUID(), pid }),
    },
    fetch: noticeEnd(createSocketFetch(isAtSocket ? socketPath : undefined), () => {
      transport.close(CloseCode.GoingAway, "The editor has closed");
    }),
    ...(maxFrameBytes !== undefined && { maxFrameBytes }),
  });
  return transport;
}

/** A restarted editor listens at another place, or at the same one: its discovery file names it. */
function noticeEnd(send: Fetch, onend: () => void): Fetch {
  return async (url, init) => {
    try {
      return await send(url, init);
    } catch (error) {
      const { cause = error } = asObject(error);
      if (asObject(cause)["syscall"] === "connect") onend();
      throw error;
    }
  };
}

/** An editor that accepts every upgrade closes with 1008 if the token is missing (seed 002). */
function explain(error: unknown, reason: CloseReason | undefined, editor: FoundEditor): unknown {
  if (asObject(error)["cause"] === 401) {
    const where = editor.socketPath ?? `port ${editor.port} of ${editor.host}`;
    const message = `The editor at ${where} refuses the token (401)`;
    return new IdewireError("unauthorized", message, { cause: error });
  }
  if (reason?.code !== CloseCode.PolicyViolation) return error;
  const words = reason.reason === "" ? "no reason" : reason.reason;
  const message = `The editor on port ${editor.port} closed with 1008: ${words}`;
  return new IdewireError("unauthorized", message, { cause: error });
}

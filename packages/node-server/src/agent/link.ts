import { pathToFileURL } from "node:url";
import { McpClient, Roots, type ToolDescription } from "@idewire/core/client";
import { type EndpointSpec, infoOf } from "@idewire/core/internal";
import {
  CloseCode,
  type CloseReason,
  IdewireError,
  type Params,
  type Transport,
} from "@idewire/core/rpc";
import type { Implementation } from "@idewire/core/server";
import { createHttpTransport } from "@idewire/http";
import type { FoundEditor } from "../discovery/find-editors.ts";
import type { OwnConnections } from "../process/own-connections.ts";
import { dial } from "./dial.ts";

export interface LinkOptions extends Implementation {
  /** What is spoken there; Claude Code's when left out. */
  readonly endpoint?: EndpointSpec;
  readonly pid: number;
  /** Native. */
  readonly cwd: string;
  readonly handshakeTimeoutMs: number;
  readonly maxFrameBytes?: number | undefined;
  /** Remembers that the connection is ours. */
  readonly own?: OwnConnections | undefined;
  readonly onnotification: (method: string, params: Params | undefined) => void;
  readonly wrapTransport?: (transport: Transport) => Transport;
}

/** One connection that went through the handshake. */
export interface AgentLink {
  readonly client: McpClient;
  readonly tools: readonly ToolDescription[];
}

/**
 * Connects to an editor and does the handshake as Claude Code does: `initialize`, `initialized`,
 * `ide_connected`, then `tools/list` (docs/clients/claude-code.md, Handshake). Over HTTP the others say the same
 * without `ide_connected`.
 * @throws IdewireError `unreachable`, `unauthorized`, `not-an-editor`, `version-mismatch`, `closed`,
 * `timeout` or `protocol`; RpcError when the editor refuses
 */
export async function openLink(editor: FoundEditor, options: LinkOptions): Promise<AgentLink> {
  const { handshakeTimeoutMs: timeoutMs, maxFrameBytes, own, endpoint } = options;
  const isHttp = endpoint !== undefined && endpoint.kind !== "web-socket";
  const { transport, closed } = isHttp
    ? dialHttp(editor, endpoint)
    : await dial(editor, { timeoutMs, maxFrameBytes, own });
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

/** Requests are sent one by one, so that nothing is connected to yet. */
function dialHttp({ host, port, token = "" }: FoundEditor, { scheme = "Bearer" }: EndpointSpec) {
  const name = host.includes(":") ? `[${host}]` : host;
  const headers = { authorization: `${scheme} ${token}` };
  const transport = createHttpTransport(`http://${name}:${port}/mcp`, { headers });
  return { transport, closed: new Promise<CloseReason>(() => undefined) };
}

/** An editor that accepts every upgrade closes with 1008 if the token is missing (seed 002). */
function explain(error: unknown, reason: CloseReason | undefined, editor: FoundEditor): unknown {
  if (reason?.code !== CloseCode.PolicyViolation) return error;
  const words = reason.reason === "" ? "no reason" : reason.reason;
  const message = `The editor on port ${editor.port} closed with 1008: ${words}`;
  return new IdewireError("unauthorized", message, { cause: error });
}

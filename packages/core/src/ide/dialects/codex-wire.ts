import { RpcErrorCode } from "../../errors.ts";
import { Method } from "../../mcp/protocol.ts";
import { parseJson } from "../../rpc/costly-json.ts";
import { asObject, formatNotification, formatRequest, isObject } from "../../rpc/message.ts";
import { CloseCode, type CloseReason, type Transport } from "../../rpc/transport.ts";

/** The one request of the agent, and the tool that answers it. */
export const IDE_CONTEXT = "ide-context";

/** The error for a folder that no editor has open. */
export const NO_CLIENT = "no-client-found";
const NO_HANDLER = "no-handler-for-request";

/** The name of the editor on the wire: many share a socket, but a connection asks only one. */
const CLIENT_ID = "idewire";
const INITIALIZE_ID = 0;

/** A message of the agent; its members are unchecked. */
type CodexMessage = Readonly<Record<string, unknown>>;

/**
 * Codex's frames as those of MCP: its request `ide-context` is a call of the tool of that name, after the
 * handshake that it does not make (docs/clients/codex.md, Request).
 */
export function toMcp(transport: Transport): Transport {
  return new CodexTransport(transport);
}

/** The folder that a frame asks about; undefined for any other frame. */
export function folderOfFrame(frame: string): string | undefined {
  const message = parseMessage(frame);
  const isRequest = message?.["type"] === "request" && message["method"] === IDE_CONTEXT;
  const folder = isRequest ? asObject(message["params"])["workspaceRoot"] : undefined;
  return typeof folder === "string" ? folder : undefined;
}

class CodexTransport implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly #transport: Transport;
  #isInitialized = false;

  constructor(transport: Transport) {
    this.#transport = transport;
    transport.onframe = (frame) => this.#receive(frame);
    transport.onclose = (reason) => this.onclose?.(reason);
    transport.ondrain = () => this.ondrain?.();
  }

  get bufferedAmount(): number {
    return this.#transport.bufferedAmount;
  }

  /** Answers to calls are passed on; the agent understands nothing else. */
  send(frame: string): void {
    const { id, result, error } = asObject(JSON.parse(frame));
    if (typeof id !== "string") return;
    if (isObject(error)) this.#fail(id, nameError(error["code"]));
    else this.#answer(id, asObject(result));
  }

  close(code?: number, reason?: string): void {
    this.#transport.close(code, reason);
  }

  #receive(frame: string): void {
    const message = parseMessage(frame);
    if (message === undefined) {
      this.close(CloseCode.InvalidPayload, "A frame is not a JSON object");
      return;
    }
    const { type, requestId } = message;
    if (typeof requestId !== "string") return;
    if (type === "request") this.#request(requestId, message);
    else if (type === "client-discovery-request") {
      const canHandle = asObject(message["request"])["method"] === IDE_CONTEXT;
      this.#write({ type: "client-discovery-response", requestId, response: { canHandle } });
    }
  }

  #request(requestId: string, { method, params, sourceClientId }: CodexMessage): void {
    if (method === "initialize") {
      const result = { clientId: CLIENT_ID };
      this.#write({ ...success(requestId, "initialize"), result });
    } else if (method !== IDE_CONTEXT) this.#fail(requestId, NO_HANDLER);
    else {
      this.#introduce(typeof sourceClientId === "string" ? sourceClientId : "codex");
      const call = { name: IDE_CONTEXT, arguments: asObject(params) };
      this.onframe?.(formatRequest(requestId, Method.ToolsCall, call));
    }
  }

  #introduce(name: string): void {
    if (this.#isInitialized) return;
    this.#isInitialized = true;
    // It does not send its version.
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name, version: "" },
    };
    this.onframe?.(formatRequest(INITIALIZE_ID, Method.Initialize, params));
    this.onframe?.(formatNotification(Method.Initialized));
  }

  #answer(requestId: string, result: CodexMessage): void {
    const item: unknown = Array.isArray(result["content"]) ? result["content"][0] : undefined;
    const text = asObject(item)["text"];
    if (typeof text !== "string") this.#fail(requestId, NO_HANDLER);
    else if (result["isError"] === true) this.#fail(requestId, text);
    else this.#write({ ...success(requestId, IDE_CONTEXT), result: JSON.parse(text) });
  }

  #fail(requestId: string, error: string): void {
    this.#write({ type: "response", requestId, resultType: "error", error });
  }

  #write(message: CodexMessage): void {
    this.#transport.send(JSON.stringify(message));
  }
}

function success(requestId: string, method: string): CodexMessage {
  const handledByClientId = CLIENT_ID;
  return { type: "response", requestId, resultType: "success", method, handledByClientId };
}

/** For a failure other than the tool's own, the agent displays that the editor provided nothing. */
function nameError(code: unknown): string {
  const isUnknown = code === RpcErrorCode.MethodNotFound || code === RpcErrorCode.InvalidParams;
  return isUnknown ? NO_HANDLER : "internal-error";
}

function parseMessage(frame: string): CodexMessage | undefined {
  try {
    const value = parseJson(frame);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

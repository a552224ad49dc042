import { IdewireError, RpcError, RpcErrorCode } from "../../../errors.ts";
import { describeValue, isObject, type Params } from "../../../rpc/message.ts";
import { Method, type ToolDescription } from "../../protocol.ts";
import { badResult } from "../../refusals.ts";
import type { Asking, ClientCache, ClientDefinition, ClientRequest } from "../client-era.ts";
import { listAll } from "../list-all.ts";
import type { HeaderTransport } from "./header-transport.ts";
import { metaOf } from "./request-meta.ts";

/** How often one request may be answered by questions. */
const MAX_ROUNDS = 10;
/** How often a request whose answer was lost is sent. */
const MAX_ATTEMPTS = 3;
/** The methods whose answer may be a question (Basic / Patterns, MRTR). */
const ASKING = /^(tools\/call|prompts\/get|resources\/read)$/;

/** Sends the requests of one client in the modern era. */
export class ModernRequests {
  /** Set where parts of a request are repeated in headers. */
  headers: HeaderTransport | undefined;
  readonly #client: ClientDefinition;
  readonly #tools = new Map<string, ToolDescription>();
  readonly #cache: ClientCache | undefined;

  constructor(client: ClientDefinition, cache: ClientCache | undefined) {
    this.#client = client;
    this.#cache = cache;
  }

  /** A tool that has been listed. */
  tool(name: string): ToolDescription | undefined {
    return this.#tools.get(name);
  }

  /** Forgets what a notification says has changed. */
  notice(method: string, params: Params | undefined): void {
    this.#cache?.changed(method, params);
  }

  async run(request: ClientRequest): Promise<unknown> {
    const { method, params, options } = request;
    const key = this.#cache?.keyOf(method, params);
    const kept = key && options?.refresh !== true && this.#cache?.get(key);
    if (kept) return this.#complete(request, kept);
    let retry: Params | undefined;
    for (let round = 0; ; round += 1) {
      const result = await this.#send({ ...request, params: { ...params, ...retry } });
      if (!isObject(result)) throw badResult("server", method, result);
      const { resultType = "complete" } = result;
      if (resultType === "complete") {
        // What depends on answers is not that of the request alone.
        if (key && retry === undefined) this.#cache?.set(key, result);
        return this.#complete(request, result);
      }
      if (resultType !== "input_required" || !ASKING.test(method)) {
        const finished = this.#client.finish(String(resultType), result, request);
        if (finished !== undefined) return finished;
        const text = `${method}: unknown resultType ${describeValue(resultType)}`;
        throw new IdewireError("protocol", text);
      }
      if (round === MAX_ROUNDS) {
        const text = `${method}: the server still asks after ${MAX_ROUNDS} rounds of questions`;
        throw new IdewireError("protocol", text);
      }
      retry = await this.#answer({ method, result, signal: options?.signal });
    }
  }

  /** What the next request says in addition, to a server that has asked (Basic / Patterns, MRTR). */
  async #answer(asking: Asking): Promise<Params> {
    const { method, result } = asking;
    const { inputRequests, requestState } = result;
    const { answerAll } = this.#client;
    if (inputRequests === undefined && requestState === undefined) {
      throw badResult("server", method, result);
    }
    if (inputRequests !== undefined && answerAll === undefined) {
      const text = `${method}: the server asks, and this client has not announced that it answers`;
      throw new IdewireError("protocol", text);
    }
    return {
      ...(inputRequests !== undefined && {
        inputResponses: await answerAll?.(asking, inputRequests),
      }),
      ...(requestState !== undefined && { requestState }),
    };
  }

  async #send({ method, params, options }: ClientRequest): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const full = { ...params, _meta: metaOf(this.#client, params) };
        return await this.#client.send(method, full, options);
      } catch (error) {
        const isLast = attempt === MAX_ATTEMPTS;
        if (isLast || !(await this.#maySendAgain(error, { method, params, options }))) throw error;
      }
    }
  }

  async #maySendAgain(
    error: unknown,
    { method, params, options }: ClientRequest,
  ): Promise<boolean> {
    if (error instanceof IdewireError && error.code === "lost") {
      if (method !== Method.ToolsCall || options?.reissue === true) return true;
      const { annotations } = this.#tools.get(String(params?.["name"])) ?? {};
      return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
    }
    const isStale = error instanceof RpcError && error.code === RpcErrorCode.HeaderMismatch;
    if (!isStale || this.headers === undefined || method !== Method.ToolsCall) return false;
    const before = JSON.stringify(this.#tools.get(String(params?.["name"]))?.inputSchema);
    await this.#listTools(options);
    return before !== JSON.stringify(this.#tools.get(String(params?.["name"]))?.inputSchema);
  }

  /** Lists the tools for their schemas alone. */
  async #listTools(options: ClientRequest["options"]): Promise<void> {
    this.notice(Method.ToolsListChanged, undefined);
    const { signal, timeoutMs } = options ?? {};
    const list = { method: Method.ToolsList, member: "tools" };
    const how = { ...(signal && { signal }), ...(timeoutMs !== undefined && { timeoutMs }) };
    await listAll(
      { request: (_, method, params) => this.run({ method, params, options: how }) },
      list,
    );
  }

  #complete({ method, params }: ClientRequest, result: Params): Params {
    if (method !== Method.ToolsList || !Array.isArray(result["tools"])) return result;
    if (params?.["cursor"] === undefined) this.#tools.clear();
    const tools = result["tools"].filter((tool) => this.#isUsable(tool)) as ToolDescription[];
    for (const tool of tools) this.#tools.set(tool.name, tool);
    return { ...result, tools };
  }

  #isUsable(tool: unknown): boolean {
    if (!isObject(tool)) return false;
    return this.headers?.carries(tool["inputSchema"]) !== false;
  }
}

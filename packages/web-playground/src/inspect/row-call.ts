import { isObject } from "@idewire/core/internal";
import type { FrameFacts, InspectedServerFacts } from "@idewire/devtools/internal";
import { exactJson } from "../state/exact-json.ts";
import { exchangeOf } from "../state/http-of.ts";
import type { PageModel } from "../state/page-model.ts";
import { rawOf } from "../state/raw-of.ts";
import { callAsCurl, callAsSseCurl } from "./call-as-curl.ts";
import { type AnsweredCall, callAsTest } from "./call-as-test.ts";
import { commandOf } from "./command-of.ts";
import type { Inspector } from "./inspector.ts";

/** A request to an MCP server, as its row has it. */
export interface RowCall {
  readonly server: InspectedServerFacts;
  readonly method: string;
  /** Without `_meta`, which each client has of its own. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly request: FrameFacts;
  readonly raw: string;
}

/** The call of a row: of a request itself, or of the request that an answer belongs to. */
export function callOf(
  model: PageModel,
  inspector: Inspector,
  facts: FrameFacts,
): RowCall | undefined {
  const isAnswer = facts.kind === "result" || facts.kind === "error";
  const request = isAnswer && facts.pair !== undefined ? model.index.of(facts.pair) : facts;
  if (request?.kind !== "request" || request.dir !== "agent>ide") return undefined;
  const server = inspector.serverOf(request.ch);
  if (server === undefined) return undefined;
  const raw = rawOf(model, request.n);
  const message = parse(raw);
  if (message === undefined || typeof message["method"] !== "string") return undefined;
  const { _meta: _, ...params } = isObject(message["params"]) ? message["params"] : {};
  return { server, method: message["method"], params, request, raw };
}

function parse(raw: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = exactJson.parse(raw);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The call as a command of idewire; undefined if it has no action for it. */
export function asCommand(inspector: Inspector, { server, method, params }: RowCall) {
  return commandOf(inspector, { server: server.name, method, params });
}

/** The call as commands of curl; undefined for a program. */
export function asCurl(model: PageModel, { server, request, raw }: RowCall) {
  const exchange = exchangeOf(model, request);
  const { url, headers = [] } = exchange?.request ?? {};
  if (url === undefined) return undefined;
  if (exchange?.status !== 202) return callAsCurl({ url, raw, headers });
  // The answer arrives on the stream of the server's own address.
  const { target } = server;
  if (target === undefined || !("url" in target)) return undefined;
  return callAsSseCurl({ url: target.url, raw, headers });
}

/** The call as a test; undefined for a server that a test cannot reach by itself. */
export function asTest(model: PageModel, { server, method, params, request }: RowCall) {
  const { target } = server;
  if (target === undefined) return undefined;
  const answer = request.pair === undefined ? undefined : parse(rawOf(model, request.pair));
  return callAsTest({ target, method, params, answer: answer as AnsweredCall["answer"] });
}

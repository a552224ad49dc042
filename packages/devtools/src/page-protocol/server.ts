import {
  type EditorCommandResult,
  type EditorVerb,
  explainFailure,
  isObject,
  serveCommands,
} from "@idewire/core/internal";
import {
  type Params,
  type Peer,
  type RequestOptions,
  RpcError,
  RpcErrorCode,
} from "@idewire/core/rpc";
import { type GenericSchema, getDotPath, safeParse } from "valibot";
import type { PageCommand, PageEvent, PageEvents, PageMethod, PageMethods } from "./methods.ts";
import { pageCommandIssue, pageParams, pageVerbs } from "./params.ts";

type MethodResult<M extends PageMethod> = PageMethods[M]["result"];

/** The handlers of some methods. */
export type PageHandlers<M extends PageMethod> = {
  readonly [K in M]: (
    params: PageMethods[K]["params"],
  ) => MethodResult<K> | Promise<MethodResult<K>>;
};

/** Answers a page. The message of a ToolFailure of a handler is shown to the person. */
export function servePage<M extends PageMethod>(peer: Peer, handlers: PageHandlers<M>): void {
  for (const method of Object.keys(handlers) as M[]) {
    peer.handle(method, ({ params }) => answer(handlers, method, params));
  }
}

/** Answers the commands of the person at a page; their paths are relative to the folder. */
export function servePageCommands(
  peer: Peer,
  run: (command: PageCommand) => Promise<EditorCommandResult<EditorVerb>>,
): void {
  serveCommands(peer, { verbs: pageVerbs, run, issueOf: pageCommandIssue });
}

function answer<M extends PageMethod>(
  handlers: PageHandlers<M>,
  method: M,
  params: Params | undefined,
): Promise<MethodResult<M>> {
  const read = check<PageMethods[M]["params"]>(method, pageParams[method], params);
  return explainFailure(() => handlers[method](read));
}

function check<T>(method: string, schema: GenericSchema<unknown, T>, params: unknown): T {
  const read = safeParse(schema, isObject(params) ? params : {});
  if (read.success) return read.output;
  const [issue] = read.issues;
  const where = getDotPath(issue) ?? "params";
  throw new RpcError(RpcErrorCode.InvalidParams, `${method}: ${where}: ${issue.message}`);
}

/** Sends a page an event. */
export function notifyPage<E extends PageEvent>(peer: Peer, event: E, params: PageEvents[E]): void {
  peer.notify(event, { ...params });
}

/** Sends a page an event; settles when the page has handled it. */
export async function deliverToPage<E extends PageEvent>(
  peer: Peer,
  event: E,
  params: PageEvents[E],
  options?: RequestOptions,
): Promise<void> {
  await peer.request(event, { ...params }, options);
}

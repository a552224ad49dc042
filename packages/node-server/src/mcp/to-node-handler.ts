import type { IncomingMessage, ServerResponse } from "node:http";
import { RpcErrorCode } from "@idewire/core/rpc";
import type { McpHandler } from "@idewire/http";
import { type Arrived, HttpRefusal } from "@idewire/http/internal";
import type { NodeHttpRequest, NodeHttpResponse } from "../process/node-types.ts";
import { NodeHead } from "./node-head.ts";
import { NodeResponder } from "./node-responder.ts";
import { readJson } from "./read-json.ts";

/** Answers a request of `node:http`; never rejects. */
export type NodeHandler = (request: NodeHttpRequest, response: NodeHttpResponse) => Promise<void>;

/**
 * An MCP handler as a handler of `node:http`, Express or Fastify. A body that the application has parsed is taken
 * from `request.body`.
 */
export function toNodeHandler(mcp: McpHandler): NodeHandler {
  return (theirs, response) => {
    const request = theirs as IncomingMessage;
    const readBody: Arrived["readBody"] = (holder, done) => {
      const parsed = parsedBodyOf(request);
      const size = Number(request.headers["content-length"]) || 0;
      if (parsed !== undefined) done(holder.hold(size) ?? { value: parsed, size });
      else if (request.readableDidRead) {
        mcp.report(new Error("The body was read already: leave it, or put it on request.body"));
        const what = "The application has read the body, and passed on nothing of it";
        done(new HttpRefusal(500, what, { code: RpcErrorCode.InternalError }));
      } else readJson(request, { maxBytes: mcp.maxBodyBytes, holder }, done);
    };
    const responder = new NodeResponder(request, response as ServerResponse);
    return mcp.answer({ head: new NodeHead(request), responder, source: request, readBody });
  };
}

/** The body as a parser of the application, such as Express's, has parsed it. */
function parsedBodyOf(request: IncomingMessage): unknown {
  return request.readableDidRead ? (request as { readonly body?: unknown }).body : undefined;
}

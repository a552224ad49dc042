import type { IncomingMessage, ServerResponse } from "node:http";
import { RpcErrorCode } from "@idewire/core/rpc";
import { inspectSource } from "../admission/handshake.ts";
import type { NodeHttpRequest, NodeHttpResponse } from "../process/node-types.ts";
import { authorizerOf, endpointOptionsOf } from "./endpoint-options.ts";
import { FetchHead, readFetchBody } from "./fetch-request.ts";
import { FetchResponder } from "./fetch-responder.ts";
import { HttpEndpoint } from "./http-endpoint.ts";
import type { Incoming } from "./incoming.ts";
import { refuseUnknownOfHandler } from "./known-options.ts";
import type { McpHttpOptions } from "./mcp-http-options.ts";
import { NodeHead } from "./node-head.ts";
import { NodeResponder } from "./node-responder.ts";
import { readJson } from "./read-json.ts";
import { Refused } from "./refused.ts";
import { answerWithMetadata } from "./resource-metadata.ts";

/** An MCP server for an application that has an HTTP server of its own. The caller closes it. */
export interface McpHandler {
  /** Answers a request of the fetch standard; never rejects. It alone reads the body. */
  (request: Request): Promise<Response>;
  /**
   * Answers a request of `node:http`; never rejects.
   * @param body what the application has parsed already; without it the body is read here or, where that
   * was done, taken from `request.body`
   */
  node(request: NodeHttpRequest, response: NodeHttpResponse, body?: unknown): Promise<void>;
  /** Ends the sessions. */
  close(): void;
}

/** A request that nobody has looked at yet. */
interface Arrived<Context> extends Omit<Incoming<Context>, "admission"> {
  readonly source: Pick<IncomingMessage, "headers" | "rawHeaders">;
}

/**
 * Offers an MCP server over Streamable HTTP to an application that has an HTTP server of its own, at
 * whatever path. Limits of time, and of connections, are the application's business.
 * @throws IdewireError `invalid-argument` for options that cannot be
 */
export function createMcpHandler<Context>(options: McpHttpOptions<Context>): McpHandler {
  refuseUnknownOfHandler(options);
  const { allowedHosts = [], allowedOrigins = ["own"] } = options;
  const endpoint = new HttpEndpoint(endpointOptionsOf(options));
  const authorize = authorizerOf(options);
  const maxBytes = endpoint.limits.maxBodyBytes;

  async function admit({ source, ...arrived }: Arrived<Context>): Promise<void> {
    const fault = inspectSource(source, { allowedHosts, allowedOrigins });
    if (fault !== undefined) throw new Refused(fault.status, fault.message);
    const metadata = answerWithMetadata(arrived.head, options.resourceMetadata);
    if (metadata !== undefined) throw metadata;
    const admission = await authorize(arrived.head);
    if ("status" in admission) throw new Refused(admission.status, admission.message, admission);
    endpoint.answer({ ...arrived, admission });
  }

  async function answer(arrived: Arrived<Context>): Promise<void> {
    try {
      await admit(arrived);
    } catch (error) {
      endpoint.fail(error, arrived.responder);
    }
  }

  const handler = async (request: Request) => {
    const head = new FetchHead(request);
    const responder = new FetchResponder(request.signal);
    const source = { headers: head.source, rawHeaders: [] };
    const readBody: Incoming<Context>["readBody"] = (done) => {
      const cut = () => new Refused(400, "The body has no end");
      readFetchBody(request, maxBytes).then(done, () => done(cut()));
    };
    await answer({ head, responder, source, readBody });
    return responder.response;
  };
  return Object.assign(handler, {
    node(theirs: NodeHttpRequest, response: NodeHttpResponse, body?: unknown) {
      const request = theirs as IncomingMessage;
      const size = Number(request.headers["content-length"]) || 0;
      const readBody: Incoming<Context>["readBody"] = (done) => {
        const parsed = body ?? parsedBodyOf(request);
        if (parsed !== undefined) done({ value: parsed, size });
        else if (request.readableDidRead) {
          endpoint.report(new Error("The body was read already: pass what it says to node()"));
          const what = "The application has read the body, and passed on nothing of it";
          done(new Refused(500, what, { code: RpcErrorCode.InternalError }));
        } else readJson(request, { maxBytes }, done);
      };
      const responder = new NodeResponder(request, response as ServerResponse);
      return answer({ head: new NodeHead(request), responder, source: request, readBody });
    },
    close: () => endpoint.close(),
  });
}

/** What a parser of the application, such as that of Express, has made of a body that it has read. */
function parsedBodyOf(request: IncomingMessage): unknown {
  return request.readableDidRead ? (request as { readonly body?: unknown }).body : undefined;
}

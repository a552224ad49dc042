import type { McpServer } from "@idewire/core/server";
import { accessOf } from "./access.ts";
import { answerPreflight, corsHeaders } from "./cors.ts";
import { endpointOptionsOf } from "./endpoint-options.ts";
import { FetchHead, readFetchBody } from "./fetch-request.ts";
import { FetchResponder } from "./fetch-responder.ts";
import { HttpEndpoint } from "./http-endpoint.ts";
import { HttpRefusal } from "./http-refusal.ts";
import type { Incoming } from "./incoming.ts";
import { inspectSource, type RequestSource } from "./inspect-source.ts";
import { requireServing } from "./known-options.ts";
import type { McpHandlerOptions } from "./mcp-http-options.ts";
import { answerWithMetadata } from "./resource-metadata.ts";
import type { Responder } from "./responder.ts";

/** An MCP server for an application with its own HTTP server. The caller closes it. */
export interface McpHandler {
  /** Answers a request of the fetch standard; never rejects. Nothing else may read its body. */
  fetch(this: void, request: Request): Promise<Response>;
  /** For `toNodeHandler`: answers a request whose head another platform has read; never rejects. */
  answer(this: void, arrived: Arrived): Promise<void>;
  /** For `toNodeHandler`: reports an error of the application to `onerror`. */
  report(this: void, error: Error): void;
  /** For `toNodeHandler`: the size limit of a body. */
  readonly maxBodyBytes: number;
  /** Ends everything that is open; later requests are answered with 503. */
  close(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A request before any check. */
export interface Arrived extends Omit<Incoming<unknown>, "admission"> {
  readonly source: RequestSource;
}

/**
 * Serves MCP over Streamable HTTP in an application with its own HTTP server, at any path. Time-outs and limits of
 * connections are up to the application. Nothing is started, and no key is created, before the first request.
 * @throws IdewireError `invalid-argument` for invalid options
 */
export function createMcpHandler<Context>(
  server: McpServer<Context>,
  options: McpHandlerOptions<Context>,
): McpHandler {
  requireServing("createMcpHandler", { server, options });
  const { allowedHosts = [], allowedOrigins = ["own"] } = options;
  const endpoint = new HttpEndpoint(endpointOptionsOf(server, options));
  const access = accessOf<Context>(options);
  const { maxBodyBytes } = endpoint.limits;

  async function admit({ source, ...arrived }: Arrived): Promise<void> {
    const { head, responder } = arrived;
    const fault = inspectSource(source, { allowedHosts, allowedOrigins });
    if (fault !== undefined) throw new HttpRefusal(fault.status, fault.message);
    const cors = corsHeaders(head, allowedOrigins);
    if (cors !== undefined) responder.addHeaders(cors);
    const open =
      (cors && answerPreflight(head)) ?? answerWithMetadata(head, access.resourceMetadata);
    if (open !== undefined) throw open;
    const admission = await access.authorize(head);
    if ("status" in admission)
      throw new HttpRefusal(admission.status, admission.message, admission);
    endpoint.answer({ ...arrived, admission });
  }

  async function answer(arrived: Arrived): Promise<void> {
    try {
      await admit(arrived);
    } catch (error) {
      endpoint.fail(error, arrived.responder);
    }
  }

  return {
    async fetch(request) {
      const head = new FetchHead(request);
      const responder: Responder & FetchResponder = new FetchResponder(request.signal);
      const source = { headers: head.source, rawHeaders: [] };
      const readBody: Arrived["readBody"] = (holder, done) => {
        void readFetchBody(request, maxBodyBytes, holder).then(done);
      };
      await answer({ head, responder, source, readBody });
      return responder.response;
    },
    answer,
    report: (error) => endpoint.report(error),
    maxBodyBytes,
    close: () => endpoint.close(),
    [Symbol.asyncDispose]: async () => endpoint.close(),
  };
}

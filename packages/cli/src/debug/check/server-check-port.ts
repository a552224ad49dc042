import type { Readable } from "node:stream";
import { clearTimeout, setTimeout } from "node:timers";
import { messageOf } from "@idewire/core/internal/base";
import { CloseCode, type Transport } from "@idewire/core/rpc";
import type { ConnectOutcome } from "@idewire/devtools/checks";
import type { HttpAnswer, HttpProbe, ServerAccess } from "@idewire/devtools/internal";
import type { Authorization } from "@idewire/http";
import { platform } from "@idewire/node-server/internal";
import type { Target } from "../../flags/target.ts";
import { advise } from "../../mcp/advise.ts";
import { createAuthorization } from "../../mcp/authorization.ts";
import type { McpContext } from "../../mcp/open-client.ts";
import { openerFor } from "../../mcp/open-transport.ts";
import { visible } from "../../output/printable.ts";
import { isThisMachine } from "../inspect/server/restarts.ts";
import { AnsweredTransport, type NodeCheckPort, WRONG_TOKEN } from "./http-check-port.ts";
import { readStart } from "./read-start.ts";

/** How long a program has after the end of its input: the default of its transport. */
const END_MS = 2_000;
/** How long all connections may take to end: a program's end, SIGTERM, SIGKILL. */
const CLOSE_MS = 6_000;
const RESPONSE_MS = 10_000;
/** How long the first event of a stream of GET may take, which may be silent. */
const EVENT_MS = 1_000;
const STDERR_UNITS = 300;

/** Access to an MCP server; `close` resolves when its programs have ended. */
export interface ServerCheckPort extends Omit<NodeCheckPort, "close"> {
  readonly server: ServerAccess;
  close(): Promise<void>;
}

/** Connects to an MCP server, for its checks. */
export function openServerCheckPort(context: McpContext): ServerCheckPort {
  const { target } = context.run;
  const open = new Map<Transport, Promise<void>>();
  const stderr = new StderrTail();
  const web = "url" in target ? new WebProbes(target, context) : undefined;
  const connect = async (): Promise<ConnectOutcome> => {
    try {
      const onstderr = (stream: Readable) => stderr.read(stream);
      const opener = await openerFor({ ...context, onstderr });
      const transport = await opener();
      const explain = async (error: Error) => messageLine(await advise(error, context));
      const answered = new AnsweredTransport(transport, explain);
      const { onclose } = transport;
      const ended = new Promise<void>((resolve) => {
        transport.onclose = (reason) => {
          onclose?.(reason);
          open.delete(transport);
          resolve();
        };
      });
      open.set(transport, ended);
      const cut = () => transport.close();
      return { kind: "open", transport: answered, ping: async () => {}, cut };
    } catch (error) {
      return { kind: "silent", message: messageLine(await advise(error, context)) };
    }
  };
  return {
    platform,
    connect,
    server: web === undefined ? { endMs: END_MS, stderrTail: () => stderr.text } : web.access,
    async close() {
      for (const transport of open.keys()) transport.close(CloseCode.Normal);
      const all = Promise.all([...open.values(), web?.end()]);
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    },
  };
}

function messageLine(error: unknown): string {
  const text = messageOf(error);
  return visible(text.replaceAll("\n", ". "));
}

/** The end of the programs' output on stderr. */
class StderrTail {
  #text = "";

  get text(): string {
    return visible(this.#text.trim()).replace(/\s+/g, " ");
  }

  read(stream: Readable): void {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      this.#text = (this.#text + text).slice(-STDERR_UNITS);
    });
  }
}

/** Sends single HTTP requests to a server. */
class WebProbes {
  readonly #url: string;
  readonly #context: McpContext;
  readonly #authorization: Authorization | undefined;
  /** The sessions to end, by their ids. */
  readonly #sessions = new Set<string>();

  constructor({ url }: Extract<Target, { readonly url: string }>, context: McpContext) {
    this.#url = url;
    this.#context = context;
    const isGiven = Object.hasOwn(context.run.headers, "authorization");
    this.#authorization = isGiven ? undefined : createAuthorization(url, context);
  }

  get access(): ServerAccess {
    const isLocal = isThisMachine(new URL(this.#url));
    return { url: this.#url, isLocal, exchange: (probe) => this.#exchange(probe) };
  }

  /** Ends the sessions that probes have begun. */
  async end(): Promise<void> {
    const signal = AbortSignal.timeout(EVENT_MS);
    const ends = [...this.#sessions].map((id) => {
      const probe = { method: "DELETE", headers: { "mcp-session-id": id } } as const;
      return this.#send(probe, signal).then(
        ({ body }) => body?.cancel(),
        () => {},
      );
    });
    await Promise.all(ends);
  }

  async #exchange(probe: HttpProbe): Promise<HttpAnswer> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), RESPONSE_MS);
    const stop = AbortSignal.any([controller.signal, this.#context.stop.signal]);
    try {
      const response = await this.#send(probe, stop);
      const { status } = response;
      const headers = Object.fromEntries(response.headers);
      const { "mcp-session-id": session } = headers;
      if (session !== undefined) this.#sessions.add(session);
      const body = await readStart(response, probe.method === "GET" ? EVENT_MS : RESPONSE_MS);
      return { kind: "answered", status, headers, body };
    } catch (error) {
      if (controller.signal.aborted) {
        return { kind: "silent", message: `nothing was answered in ${RESPONSE_MS / 1_000} s` };
      }
      return { kind: "silent", message: messageLine(await advise(error, this.#context)) };
    } finally {
      clearTimeout(timer);
      controller.abort();
    }
  }

  #send(
    { method, url = this.#url, headers = {}, body, credentials }: HttpProbe,
    signal: AbortSignal,
  ): Promise<Response> {
    const isOwn = new URL(url).origin === new URL(this.#url).origin;
    const own = isOwn && credentials === undefined ? this.#context.run.headers : {};
    const wrong = credentials === "wrong" ? { authorization: `Bearer ${WRONG_TOKEN}` } : {};
    const usual = {
      accept: "application/json, text/event-stream",
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const all = new Headers();
    for (const [name, value] of Object.entries({ ...usual, ...own, ...wrong, ...headers })) {
      if (value !== undefined) all.set(name, value);
    }
    const send = (more?: Headers) => {
      for (const [name, value] of more ?? []) all.set(name, value);
      const init = {
        method,
        headers: all,
        body: body ?? null,
        signal,
        redirect: "manual",
      } as const;
      return this.#context.fetch(url, init);
    };
    if (!isOwn || credentials !== undefined || this.#authorization === undefined) return send();
    return this.#authorization.send({ method, url: new URL(url) }, send);
  }
}

import { describeValue, isObject, modernRevision } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import type { Check } from "../check.ts";
import { describeError, type Received } from "../check-connection.ts";
import { CheckContext, type CheckRun } from "../context.ts";
import type { CheckedTransport } from "../port.ts";
import { CheckFailed, CheckSkipped } from "../verdict.ts";
import { type CalledTool, callTools } from "./call-tools.ts";
import { type Answered, initialize } from "./exchange.ts";
import { ServerSession } from "./server-session.ts";

/** The lists of a server, with their methods and the capability of each. */
export const serverLists = {
  tools: { method: "tools/list", capability: "tools" },
  prompts: { method: "prompts/list", capability: "prompts" },
  resources: { method: "resources/list", capability: "resources" },
  resourceTemplates: { method: "resources/templates/list", capability: "resources" },
} as const;

export type ServerListName = keyof typeof serverLists;

/** A list, as far as it was read. */
export interface ServerList {
  readonly entries: readonly unknown[];
  /** The answers, one for each page. */
  readonly pages: readonly (Received & { readonly result: Params })[];
  /** Why its pages do not end. */
  readonly fault?: string;
}

const TRANSPORTS: Readonly<Record<CheckedTransport, string>> = {
  ...{ stdio: "stdio", http: "Streamable HTTP", sse: "HTTP with SSE" },
};

/** Of a list. */
const MAX_PAGES = 100;

/** Connections that checks share, so that a program is started few times. */
type Shared = "legacy" | "modern" | "hostile";

/** The known facts about the MCP server of a run, and the connections shared by its checks. */
export class CheckedServer {
  /** How it is reached; HTTP may turn out to be HTTP with SSE. */
  transport: CheckedTransport;
  readonly #run: CheckRun;
  readonly #contexts: Readonly<Record<Shared, CheckContext>>;
  readonly #sessions = new Map<Shared, ServerSession>();
  readonly #lists = new Map<ServerListName, Promise<ServerList>>();
  #calls: Promise<readonly CalledTool[]> | undefined;
  #webSession: Promise<Answered> | undefined;

  constructor(run: CheckRun) {
    this.#run = run;
    this.transport = run.port.server?.url === undefined ? "stdio" : "http";
    this.#contexts = {
      legacy: new CheckContext(run),
      modern: new CheckContext(run),
      hostile: new CheckContext(run, true),
    };
  }

  /**
   * Connects in both eras.
   * @returns the sessions that were opened
   * @throws CheckFailed when there are none
   */
  async probe(context: CheckContext): Promise<readonly ServerSession[]> {
    const faults: string[] = [];
    for (const era of ["legacy", "modern"] as const) {
      try {
        const session = await this.#open(era, context);
        this.#sessions.set(era, session);
      } catch (error) {
        if (!(error instanceof CheckFailed)) throw error;
        // A fault in both eras is reported once.
        const why = error.message.replace(/^the answer to \S+ /, "");
        if (!faults.some((fault) => fault.endsWith(why))) faults.push(error.message);
      }
    }
    if (this.#sessions.size > 0) {
      await this.#findTransport(context);
      return [...this.#sessions.values()];
    }
    const tail = this.#run.port.server?.stderrTail?.() ?? "";
    throw new CheckFailed([...faults, ...(tail === "" ? [] : [`stderr: ${tail}`])].join("; "));
  }

  /** Why a check does not apply to this server; of its eras, only after {@link probe}. */
  reasonToSkip({ over, era, since = "" }: Check): string | undefined {
    if (over !== undefined && over !== this.transport) return `it applies to ${TRANSPORTS[over]}`;
    if (era === undefined && since === "") return undefined;
    const first = this.#sessions.values().next().value;
    const session = era === undefined ? first : this.#sessions.get(era);
    if (session !== undefined) {
      return session.revision < since ? `the server speaks ${session.revision}` : undefined;
    }
    return `the server does not speak ${era === "modern" ? modernRevision : "a revision with initialize"}`;
  }

  /** A session that checks share, in the legacy era if the server speaks it; opened again if it was closed. */
  async session(
    context: CheckContext,
    era: Shared | undefined = this.#sessions.keys().next().value,
  ): Promise<ServerSession> {
    const wanted = era ?? "legacy";
    let session = this.#sessions.get(wanted);
    if (session === undefined || session.connection.closed !== undefined) {
      session = await this.#open(wanted, context);
      this.#sessions.set(wanted, session);
    }
    context.include(session.connection);
    return session;
  }

  /** @throws CheckSkipped when its capability is not declared */
  async list(context: CheckContext, name: ServerListName): Promise<ServerList> {
    const session = await this.session(context);
    const { capability } = serverLists[name];
    if (!session.declares(capability)) throw new CheckSkipped(`${capability} is not declared`);
    let reading = this.#lists.get(name);
    if (reading === undefined) {
      reading = readList(session, name);
      this.#lists.set(name, reading);
    }
    const list = await reading;
    context.cite(...list.pages.slice(0, 2));
    return list;
  }

  /** The entries that are objects. */
  async entries(context: CheckContext, name: ServerListName): Promise<readonly Params[]> {
    const { entries } = await this.list(context, name);
    return entries.filter(isObject);
  }

  /** The results of the tools that may be called without harm; of all with `--destructive`. */
  async calls(context: CheckContext): Promise<readonly CalledTool[]> {
    const tools = await this.entries(context, "tools");
    const session = await this.session(context);
    this.#calls ??= callTools(session, tools, this.#run.destructive);
    const calls = await this.#calls;
    if (calls.length > 0) return calls;
    const kind = this.#run.destructive ? "" : "read-only ";
    throw new CheckSkipped(`there is no ${kind}tool whose arguments are known`);
  }

  /** The response to the `initialize` of a session that checks of HTTP share. */
  webSession(open: () => Promise<Answered>): Promise<Answered> {
    this.#webSession ??= open();
    return this.#webSession;
  }

  close(): void {
    for (const context of Object.values(this.#contexts)) context.close();
  }

  /** A server over HTTP with SSE refuses a POST to the address of its stream. */
  async #findTransport(context: CheckContext): Promise<void> {
    if (this.transport === "stdio" || this.#sessions.has("modern")) return;
    const answer = await this.webSession(() => initialize(context));
    if ([400, 404, 405].includes(answer.status)) this.transport = "sse";
  }

  async #open(shared: Shared, context: CheckContext): Promise<ServerSession> {
    const { connection } = await this.#contexts[shared].open();
    context.include(connection);
    const isModern = shared === "modern" || (shared === "hostile" && !this.#sessions.has("legacy"));
    try {
      const session = await (isModern ? ServerSession.discover : ServerSession.initialize)(
        connection,
      );
      connection.answerMs = this.#run.times.answerMs;
      return session;
    } catch (error) {
      connection.close();
      throw error;
    }
  }
}

async function readList(session: ServerSession, name: ServerListName): Promise<ServerList> {
  const { method } = serverLists[name];
  const entries: unknown[] = [];
  const pages: (Received & { readonly result: Params })[] = [];
  const seen = new Set<unknown>();
  let cursor: unknown;
  do {
    const page = await session.result(method, cursor === undefined ? {} : { cursor });
    pages.push(page);
    const own = page.result[name];
    if (!Array.isArray(own)) throw new CheckFailed(`${name} is ${describeValue(own)}`);
    entries.push(...(own as readonly unknown[]));
    cursor = page.result["nextCursor"];
    if (cursor !== undefined && typeof cursor !== "string") {
      return { entries, pages, fault: `nextCursor is ${describeValue(cursor)}` };
    }
    if (seen.has(cursor))
      return { entries, pages, fault: `nextCursor ${describeValue(cursor)} came twice` };
    seen.add(cursor);
    if (pages.length === MAX_PAGES)
      return { entries, pages, fault: `it has more than ${MAX_PAGES} pages` };
  } while (cursor !== undefined);
  return { entries, pages };
}

/** The answer as a text: a result, or an error with its code. */
export function describeAnswer({ message }: Received): string {
  if (message.error !== undefined) return describeError(message.error);
  const isFailure = isObject(message.result) && message.result["isError"] === true;
  return isFailure ? "a result with isError" : "a result";
}

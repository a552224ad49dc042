import { type LogLevel, McpClient, Roots, tasks } from "@idewire/core/client";
import type { SchemaValidator } from "@idewire/core/internal";
import type { ExactJson } from "@idewire/core/internal/base";
import { messageOf } from "@idewire/core/internal/base";
import { IdewireError, type Params, ToolFailure, type Transport } from "@idewire/core/rpc";
import type { InspectedServerFacts, ServerInfo } from "../page-protocol/inspect-methods.ts";
import type { PageMethods } from "../page-protocol/methods.ts";
import { describeClosing } from "../trace/explain/describe-closing.ts";
import { APP_PROTOCOL } from "../trace/explain/end-names.ts";
import { recordTransport } from "../trace/recording/record-transport.ts";
import { followLists } from "./follow-lists.ts";
import type { InspectionLog } from "./inspection-log.ts";
import { PersonQuestions } from "./questions.ts";
import { ResourceSubscriptions } from "./resource-subscriptions.ts";
import type { ServerControl, ServerRoute } from "./server-route.ts";
import { type View, viewOf, views } from "./views.ts";

/** An MCP server, and where its traffic is recorded. */
export interface InspectedServerOptions
  extends Pick<InspectedServerFacts, "name" | "shell" | "target"> {
  readonly log: InspectionLog;
  /** The version of this program. */
  readonly version: string;
  readonly era?: "auto" | "legacy" | "modern" | undefined;
  /** Spells the numbers of calls and answers. */
  readonly json: ExactJson;
  /** Checks the answers to forms. */
  readonly validator: SchemaValidator;
  /** Whether a connection that has ended is opened again with the next request. */
  readonly reopens: boolean;
  /** Whether the page can show the views of MCP apps. */
  readonly hasViews: boolean;
  /** How the server is reached. */
  readonly route: (server: ServerControl) => ServerRoute;
  /** Called when the facts have changed. */
  readonly onchange: () => void;
}

/** A request of a page. */
export interface PageRequest {
  /** Cancels the request. */
  readonly key: string;
  readonly method: string;
  readonly params?: Params | undefined;
  /** Called with the id, each time that the request is sent, and its connection in the log. */
  readonly onsent: (sent: { readonly ch: string; readonly id: number }) => void;
}

type Settings = PageMethods["inspect/settings"]["params"];

/** The kinds of calls that are repeated after a restart of the server. */
const CALLS: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);
const REPEAT_MS = 60_000;

/** An MCP server whose client is this process, on behalf of a person at a page. */
export class InspectedServer {
  readonly #options: InspectedServerOptions;
  readonly #questions: PersonQuestions;
  readonly #running = new Map<string, AbortController>();
  readonly #subscriptions = new ResourceSubscriptions();
  readonly #rootsFeature: Roots;
  #roots: readonly string[] = [];
  #client: McpClient | undefined;
  #wire: Transport | undefined;
  #ch: string | undefined;
  #info: ServerInfo | undefined;
  #state: InspectedServerFacts["state"] = "connecting";
  #problem: string | undefined;
  #attempts = 0;
  #connecting = new AbortController();
  /** The last call of the person. */
  #last: Pick<PageRequest, "method" | "params"> | undefined;
  readonly #route: ServerRoute;

  constructor(options: InspectedServerOptions) {
    this.#options = options;
    this.#questions = new PersonQuestions(options.validator, options.onchange);
    this.#rootsFeature = new Roots(() => this.#roots.map((uri) => ({ uri })));
    this.#route = options.route({
      connection: () => this.#ch,
      change: options.onchange,
      print: (words) => this.#print(words),
      restart: (why) => void this.#restart(why),
    });
  }

  get facts(): InspectedServerFacts {
    const { name, shell, target } = this.#options;
    const { login } = this.#route;
    return {
      ...{ name, shell, state: this.#state },
      ...(target !== undefined && { target }),
      ...(this.#problem !== undefined && { problem: this.#problem }),
      ...(login !== undefined && { login }),
      ...(this.#ch !== undefined && { ch: this.#ch }),
      ...(this.#info !== undefined && { info: this.#info }),
      ...{ questions: this.#questions.all, roots: this.#roots },
      subscriptions: this.#subscriptions.uris,
    };
  }

  /** Whether a connection in the log is the newest one to this server. */
  has(ch: string): boolean {
    return this.#ch === ch;
  }

  /** Connects, in place of an earlier connection; a failure is a fact. */
  async connect(): Promise<void> {
    this.#attempts += 1;
    const attempt = this.#attempts;
    const before = this.#client;
    this.#connecting.abort();
    this.#connecting = new AbortController();
    this.#client = undefined;
    this.#set("connecting");
    await before?.close();
    await this.#route.restarts?.begin();
    if (attempt !== this.#attempts) return;
    try {
      const client = await this.#open();
      if (attempt !== this.#attempts) return void (await client.close());
      this.#client = client;
      this.#joined(client);
      const { name, version, protocol } = this.#info as ServerInfo;
      this.#options.log.print(`Connected to ${name} ${version}, which speaks MCP ${protocol}.`);
    } catch (error) {
      if (attempt !== this.#attempts) return;
      this.#set("closed", messageOf(error));
      this.#print(`not connected: ${messageOf(error)}`);
      this.#route.restarts?.failed(error);
    }
  }

  async #restart(why: string): Promise<void> {
    this.#print(why);
    const attempt = this.#attempts + 1;
    await this.connect();
    if (attempt === this.#attempts) await this.#repeat();
  }

  /** Sends the last call of the person again; the log shows its answer. */
  async #repeat(): Promise<void> {
    const [last, client] = [this.#last, this.#client];
    if (last === undefined || client === undefined) return;
    this.#print(`repeating ${last.method}`);
    const options = { timeoutMs: REPEAT_MS, onProgress: () => {} };
    await client.request(last.method, last.params, options).catch((error: unknown) => {
      if (error instanceof IdewireError) this.#print(messageOf(error));
    });
  }

  /** Sends a request and follows it to its end. @returns why it has no answer; undefined if it has one */
  async request({ key, method, params, onsent }: PageRequest): Promise<string | undefined> {
    const controller = new AbortController();
    this.#running.set(key, controller);
    if (CALLS.has(method)) this.#last = { method, params };
    const client = this.#client;
    try {
      await this.#connected.request(method, params, {
        timeoutMs: Number.POSITIVE_INFINITY,
        signal: controller.signal,
        onProgress: () => {},
        onSent: (id) => onsent({ ch: this.#ch ?? "", id }),
      });
      return undefined;
    } catch (error) {
      // The log has the answer of the server itself.
      if (error instanceof ToolFailure) return messageOf(error);
      if (!(error instanceof IdewireError)) return undefined;
      if (error.code === "cancelled") return "You have cancelled this request";
      const isOver = error.code === "closed" && client !== undefined && !this.#options.reopens;
      return isOver ? describeClosing(await client.closed) : messageOf(error);
    } finally {
      this.#running.delete(key);
    }
  }

  /**
   * Reads the view of an MCP app, which gets a connection of its own in the log.
   * @throws ToolFailure when it cannot be read
   */
  async readView(uri: string): Promise<{ readonly view: View; readonly ch: string }> {
    try {
      const view = viewOf(await this.#connected.readResource(uri), uri);
      const ch = this.#options.log.name();
      this.#options.log.append({ ev: "open", ch, protocol: APP_PROTOCOL });
      return { view, ch };
    } catch (error) {
      throw new ToolFailure(messageOf(error));
    }
  }

  cancel(key: string): void {
    this.#running.get(key)?.abort();
  }

  answer(question: number, result: Params | undefined): void {
    this.#questions.answer(question, result);
  }

  /** @throws ToolFailure when the server refuses */
  async set({ roots, level, subscribe }: Settings): Promise<void> {
    try {
      if (roots !== undefined) {
        this.#roots = roots;
        this.#rootsFeature.listChanged();
      }
      if (level !== undefined) await this.#connected.setLogLevel(level as LogLevel);
      if (subscribe !== undefined) {
        await this.#subscriptions.change(() => this.#connected, subscribe);
      }
    } catch (error) {
      throw new ToolFailure(messageOf(error));
    } finally {
      this.#options.onchange();
    }
  }

  /** Sends a frame as it is. @returns false when the server is not connected */
  send(frame: string): boolean {
    if (this.#state !== "open" || this.#wire === undefined) return false;
    this.#wire.send(frame);
    return true;
  }

  async close(): Promise<void> {
    this.#attempts += 1;
    this.#route.restarts?.close();
    this.#connecting.abort();
    await this.#client?.close();
  }

  get #connected(): McpClient {
    if (this.#client !== undefined) return this.#client;
    throw new ToolFailure("The server is not connected");
  }

  async #open(): Promise<McpClient> {
    const { log, version, era, json, reopens, hasViews } = this.#options;
    const open = await this.#route.open();
    const record = async (): Promise<Transport> => {
      const inner = await open();
      this.#ch = log.name();
      this.#wire = recordTransport(inner, { log, ch: this.#ch, sends: "agent>ide" });
      return this.#wire;
    };
    return McpClient.connect(record, {
      name: "idewire-inspect",
      version,
      ...(era !== undefined && { era }),
      features: [
        ...this.#questions.features,
        ...[this.#rootsFeature, tasks({})],
        ...(hasViews ? [views] : []),
      ],
      signal: this.#connecting.signal,
      reopen: reopens,
      onwarning: (words) => log.print(words),
      onerror: ({ message }) => log.print(message),
      onnotification: () => {},
      peer: { json },
    });
  }

  #joined(client: McpClient): void {
    const { serverInfo, capabilities, instructions } = client.server;
    this.#info = {
      ...{ name: serverInfo.name, version: serverInfo.version },
      ...{ protocol: client.revision, era: client.era, capabilities },
      ...(instructions !== undefined && { instructions }),
    };
    this.#set("open");
    this.#subscriptions.clear();
    followLists(client, (error) => this.#print(messageOf(error)));
    client.onReopen(() => {
      this.#set("open");
      // Remote servers may end sessions at any time: calls must not be repeated unless the person requests it.
      if (this.#route.restarts?.isLocal === true) void this.#repeat();
    });
    void client.closed.then((reason) => {
      if (this.#client === client) this.#set("closed", describeClosing(reason));
    });
  }

  /** A line of the server's own, or about it. */
  #print(text: string): void {
    const { log, name } = this.#options;
    log.append({ ev: "transcript", text: `${name}: ${text}` });
  }

  #set(state: InspectedServerFacts["state"], problem?: string): void {
    this.#state = state;
    this.#problem = problem;
    this.#options.onchange();
  }
}

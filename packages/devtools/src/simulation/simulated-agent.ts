import { baseName } from "@idewire/core";
import { McpClient } from "@idewire/core/client";
import {
  answerLimits,
  describeValue,
  isObject,
  type LegacyRevision,
  parseJson,
} from "@idewire/core/internal";
import { countOf, messageOf } from "@idewire/core/internal/base";
import type { Clock, Params, Transport } from "@idewire/core/rpc";
import type { CallToolResult } from "@idewire/core/server";
import { exactJson } from "../trace/exact-json.ts";

/** The surroundings of an agent. */
export interface SimulatedAgentOptions {
  /** Its name in `clientInfo`; `simulated-agent` when left out. */
  readonly name?: string;
  readonly clock: Clock;
  /** Prints a line in its terminal. */
  readonly send: (text: string) => void;
  /** Writes a file, by its absolute path, on the disk that it shares with the editor. */
  readonly write: (path: string, text: string) => void;
}

/** A diff that an agent proposes. */
export interface ProposedChange {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly title: string;
}

/** The outcome of a proposed change. */
export type ProposalEnd = "written" | "rejected" | "answered in the terminal" | "failed";

interface OpenProposal {
  readonly change: ProposedChange;
  /** Answers in the terminal instead. */
  decide(accept: boolean): void;
}

/**
 * A coding agent in a terminal, as an editor sees one: it uses core's client and follows the order of
 * actions of the measured agents (docs/clients/claude-code.md). There is no
 * model behind it.
 */
export class SimulatedAgent {
  readonly #options: SimulatedAgentOptions;
  #client: McpClient | undefined;
  #proposals: OpenProposal[] = [];
  #selection: { readonly filePath: string; readonly lines: number } | undefined;

  constructor(options: SimulatedAgentOptions) {
    this.#options = options;
  }

  get connected(): boolean {
    return this.#client !== undefined;
  }

  /** The pending changes, oldest first. */
  get proposals(): readonly ProposedChange[] {
    return this.#proposals.map(({ change }) => change);
  }

  /**
   * Performs the handshake and requests the tools.
   * @param protocolVersion the revision of MCP to ask for; the newest legacy one when left out
   */
  async connect(transport: Transport, protocolVersion?: LegacyRevision): Promise<void> {
    const { name = "simulated-agent", clock, send } = this.#options;
    const client = await McpClient.connect(transport, {
      name,
      version: "1.0.0",
      era: "legacy",
      ...(protocolVersion !== undefined && { protocolVersion }),
      onnotification: (method, params) => this.#receive(method, params),
      peer: { clock, json: exactJson },
    });
    this.#client = client;
    client.peer.notify("ide_connected", { pid: 4242 });
    const tools = await client.listTools();
    send(`Connected to ${client.server.serverInfo.name}: ${tools.length} tools`);
    void client.closed.then(({ code, reason }) => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#proposals = [];
      send(`Disconnected from the editor (${code}${reason === "" ? "" : ` ${reason}`})`);
    });
  }

  disconnect(code?: number, reason?: string): void {
    void this.#client?.close(code, reason);
  }

  /** Proposes a change, waits for the answer, writes the file if accepted, and requests diagnostics. */
  async propose(change: ProposedChange): Promise<ProposalEnd> {
    const { send, write } = this.#options;
    await this.#diagnostics(change.path);
    send(`Wants to change ${shortName(change.path)}. Waiting for your answer…`);
    const answer = await this.#requestDiff(change);
    if (answer.kind === "failed") {
      send(`The editor could not show the change: ${answer.text}`);
      return "failed";
    }
    if (answer.kind === "rejected") {
      send(`You rejected the change to ${shortName(change.path)}`);
      return "rejected";
    }
    write(change.path, answer.text);
    const edited = answer.text === change.text ? "" : ", as you edited it";
    send(`Wrote ${shortName(change.path)}${edited}`);
    const found = await this.#diagnostics(change.path);
    if (found > 0) send(`The editor reports ${countOf(found, "problem")} in it`);
    return answer.kind === "terminal" ? "answered in the terminal" : "written";
  }

  /** Answers the newest proposal in the terminal; false when there is none. */
  answerInTerminal(accept: boolean): boolean {
    const proposal = this.#proposals.at(-1);
    proposal?.decide(accept);
    return proposal !== undefined;
  }

  /** Calls any tool and prints the result. */
  async call(tool: string, args: Params): Promise<CallToolResult | undefined> {
    const { send } = this.#options;
    try {
      const result = await this.#connection().callTool(tool, args);
      send(`${tool}: ${result.isError === true ? "failed: " : ""}${describeValue(textOf(result))}`);
      return result;
    } catch (error) {
      send(`${tool}: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Sends any request and prints the result. */
  async request(method: string, params?: Params): Promise<void> {
    const { send } = this.#options;
    try {
      send(`${method}: ${describeValue(await this.#connection().peer.request(method, params))}`);
    } catch (error) {
      send(`${method}: ${messageOf(error)}`);
    }
  }

  async #requestDiff(change: ProposedChange): Promise<ProposalAnswer> {
    const client = this.#connection();
    const decision = new Promise<ProposalAnswer>((resolve) => {
      const decide = (accept: boolean): void =>
        resolve(accept ? { kind: "terminal", text: change.text } : { kind: "rejected" });
      this.#proposals.push({ change, decide });
    });
    const args = {
      old_file_path: change.path,
      new_file_path: change.path,
      new_file_contents: change.text,
      tab_name: change.title,
    };
    // A person may take hours.
    const diffAnswer = client
      .callTool("openDiff", args, { timeoutMs: Number.POSITIVE_INFINITY })
      .then((result) => readAnswer(result, change), failed);
    const first = await Promise.race([diffAnswer, decision]);
    this.#proposals = this.#proposals.filter((one) => one.change !== change);
    // As real agents do, close the tab in either case.
    await client.callTool("close_tab", { tab_name: change.title }).catch(failed);
    return first;
  }

  async #diagnostics(path: string): Promise<number> {
    const result = await this.#connection()
      .callTool("getDiagnostics", { uri: `file://${path}` })
      .catch(() => undefined);
    try {
      const files: unknown = parseJson(textOf(result) ?? "[]", answerLimits);
      return Array.isArray(files)
        ? files.reduce((sum: number, file) => sum + diagnosticsIn(file), 0)
        : 0;
    } catch {
      return 0;
    }
  }

  #receive(method: string, params: Params | undefined): void {
    const { send } = this.#options;
    if (method === "at_mentioned") send(`> @${describeMention(params)} `);
    if (method !== "selection_changed") return;
    const filePath = params?.["filePath"];
    const text = params?.["text"];
    const lines = typeof text === "string" && text !== "" ? text.split("\n").length : 0;
    const before = this.#selection;
    this.#selection = typeof filePath === "string" ? { filePath, lines } : undefined;
    if (before?.lines === lines && before.filePath === filePath) return;
    if (lines > 0) send(`${countOf(lines, "line")} selected in ${shortName(filePath)}`);
  }

  #connection(): McpClient {
    if (this.#client === undefined) throw new Error("the agent is not connected");
    return this.#client;
  }
}

type ProposalAnswer =
  | { readonly kind: "accepted" | "terminal" | "failed"; readonly text: string }
  | { readonly kind: "rejected" };

function readAnswer(result: CallToolResult, change: ProposedChange): ProposalAnswer {
  const [word, text] = result.content.map((block) => (block.type === "text" ? block.text : ""));
  if (result.isError === true) return { kind: "failed", text: word ?? "" };
  if (word === "FILE_SAVED") return { kind: "accepted", text: text ?? change.text };
  // Claude Code takes a closed tab for an acceptance.
  return word === "TAB_CLOSED" ? { kind: "accepted", text: change.text } : { kind: "rejected" };
}

function failed(error: unknown): ProposalAnswer {
  return { kind: "failed", text: messageOf(error) };
}

function textOf(result: CallToolResult | undefined): string | undefined {
  const [first] = result?.content ?? [];
  return first?.type === "text" ? first.text : undefined;
}

function diagnosticsIn(file: unknown): number {
  const list = isObject(file) ? file["diagnostics"] : undefined;
  return Array.isArray(list) ? list.length : 0;
}

function shortName(path: unknown): string {
  return typeof path === "string" ? baseName(path) : "nothing";
}

function describeMention(params: Params | undefined): string {
  const { filePath, lineStart, lineEnd } = params ?? {};
  const lines = typeof lineStart === "number" ? `#L${lineStart + 1}-${Number(lineEnd) + 1}` : "";
  return `${shortName(filePath)}${lines}`;
}

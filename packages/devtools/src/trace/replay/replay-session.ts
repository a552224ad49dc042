import { claudeCode, type EditorHost } from "@idewire/core";
import { isObject, Method } from "@idewire/core/internal";
import { type Params, Peer, RpcError, type Transport } from "@idewire/core/rpc";
import { compareSessions } from "../comparison/compare-sessions.ts";
import type { RecordedSession, SessionComparison, SessionMessage } from "../comparison/model.ts";
import { isListRequest, readSessions } from "../comparison/read-sessions.ts";
import { exactJson } from "../exact-json.ts";
import { EventLog } from "../recording/event-log.ts";
import { recordTransport } from "../recording/record-transport.ts";
import { moveFolder } from "./move-folder.ts";

/** How a session is replayed. */
export interface ReplaySessionOptions {
  /** Also sends calls with visible effects: diffs, files to open, tabs to close. */
  readonly all?: boolean;
  /** How long each answer may take; 10,000 when left out. */
  readonly timeoutMs?: number;
  /** Replaces the folder of the recorded workspace in what is sent; both with `/` between names. */
  readonly folders?: readonly [recorded: string, live: string];
  readonly signal?: AbortSignal;
}

/** A message of the recording that was not sent, and why. */
export interface LeftOut {
  readonly message: SessionMessage;
  readonly why: string;
}

/** The answers of a live editor, compared with the recording. */
export interface SessionReplay {
  /** The recording as far as it was sent: the agent's messages with the answers. */
  readonly recorded: RecordedSession;
  readonly live: RecordedSession;
  /** `a` is the recording, `b` the live editor. */
  readonly comparison: SessionComparison;
  readonly leftOut: readonly LeftOut[];
}

const CHANNEL = "live";
const TIMEOUT_MS = 10_000;
const CANCELLED = "notifications/cancelled";

/**
 * Sends the agent's side of a recorded session to a live editor, one request after the other, and
 * compares the answers. Calls with visible effects are sent only with `all`, and no diff is ever
 * answered. Unsolicited messages of the editor are not compared: they depend on its person.
 * Closes the transport, and never rejects.
 */
export async function replaySession(
  session: RecordedSession,
  transport: Transport,
  options: ReplaySessionOptions = {},
): Promise<SessionReplay> {
  const log = new EventLog();
  const protocol = session.handshake.protocol;
  const recorder = { log, ch: CHANNEL, sends: "agent>ide" as const };
  const peer = new Peer(
    recordTransport(transport, { ...recorder, ...(protocol !== undefined && { protocol }) }),
    { json: exactJson, handler: { handle: ({ method }) => answerOf(session, method) } },
  );
  const sender = new Sender(peer, options);
  const { params } = session.handshake;
  if (params !== undefined) await sender.request({ method: Method.Initialize, params });
  const sent: SessionMessage[] = [];
  const leftOut: LeftOut[] = [];
  for (const message of session.messages.filter(({ dir }) => dir === "agent>ide")) {
    if (options.signal?.aborted === true) break;
    const why = reasonForSkipping(message, options.all === true);
    if (why !== undefined) leftOut.push({ message, why });
    else {
      sent.push(message);
      await sender.send(message);
    }
  }
  await sender.settled();
  peer.close();
  const recorded = { ...session, messages: sent };
  const [live = { ...recorded, messages: [] }] = readSessions(log.events).map((one) => ({
    ...one,
    messages: one.messages.filter(isOwn),
  }));
  const { folders } = options;
  const comparison = compareSessions(recorded, live, folders === undefined ? {} : { folders });
  return { recorded, live, comparison, leftOut };
}

/** Leaves out unsolicited messages of the editor, and cancellations by time-out. */
function isOwn({ dir, method }: SessionMessage): boolean {
  return dir === "agent>ide" && method !== CANCELLED;
}

class Sender {
  readonly #peer: Peer;
  readonly #options: ReplaySessionOptions;
  /** Requests that a person answers. */
  readonly #pending = new Set<Promise<void>>();

  constructor(peer: Peer, options: ReplaySessionOptions) {
    this.#peer = peer;
    this.#options = options;
  }

  async send(message: SessionMessage): Promise<void> {
    if (message.kind === "notification") {
      this.#peer.notify(message.method ?? "", this.#moved(message.params));
      return;
    }
    const answered = this.request(message);
    // Agents continue while a diff is pending, for example to close it.
    if (message.tool !== "openDiff") await answered;
    else this.#pending.add(answered);
  }

  /** Settles with the answer; the log has its content. */
  async request({ method, params }: Pick<SessionMessage, "method" | "params">): Promise<void> {
    const { timeoutMs = TIMEOUT_MS, signal } = this.#options;
    const bounds = { timeoutMs, ...(signal !== undefined && { signal }) };
    await this.#peer.request(method ?? "", this.#moved(params), bounds).catch(() => undefined);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  #moved(params: unknown): Params | undefined {
    const { folders } = this.#options;
    const moved = folders === undefined ? params : moveFolder(params, folders);
    return isObject(moved) ? moved : undefined;
  }
}

/** Answers requests of the editor as the recorded agent did. */
function answerOf({ messages }: RecordedSession, method: string): unknown {
  const recorded = messages.find((one) => one.dir === "ide>agent" && one.method === method);
  if (recorded?.answer?.result !== undefined) return recorded.answer.result;
  if (method === Method.Ping) return {};
  throw new RpcError(-32601, `Method not found: ${method}`);
}

const HARMLESS: ReadonlySet<string> = new Set([
  Method.Initialized,
  "ide_connected",
  "resources/read",
  "prompts/get",
  "completion/complete",
]);

function reasonForSkipping(
  { kind, method, tool }: SessionMessage,
  all: boolean,
): string | undefined {
  if (kind === "malformed") return "it is not a message";
  if (kind === "answer") return "it answers a request that is not in the trace";
  if (method === CANCELLED) return "the ids of requests differ from run to run";
  if (all || isListRequest(method) || HARMLESS.has(method ?? "")) return undefined;
  if (method !== Method.ToolsCall) return "it may change something";
  return readOnlyTools().has(tool ?? "") ? undefined : "the tool may show or change something";
}

/** Tools that write nothing, with visible effects. */
const SHOWING: ReadonlySet<string> = new Set(["openDiff", "openFile"]);

let known: ReadonlySet<string> | undefined;

/** The tools of Claude Code's dialect that only read. */
function readOnlyTools(): ReadonlySet<string> {
  known ??= new Set(
    // No tool runs: the descriptions need no editor.
    claudeCode
      .createTools({} as EditorHost, "posix")
      .filter(({ annotations }) => annotations?.readOnlyHint === true)
      .map(({ name }) => name)
      .filter((name) => !SHOWING.has(name)),
  );
  return known;
}

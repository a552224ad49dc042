import type { Unsubscribe } from "../../emitter.ts";
import type { Implementation } from "../../mcp/protocol.ts";
import { comparisonKey, type Platform, type PosixPath } from "../../paths/posix-path.ts";
import type { Clock } from "../../rpc/clock.ts";
import type { DiffOutcome, EditorHost, SessionId } from "../editor-host.ts";
import { type Expectation, ExpectedWrites } from "./expected-writes.ts";
import { WriteNotices } from "./write-notices.ts";

/** How long after its disconnection a write may still be attributed to an agent. */
const LEAVING_MS = 2_000;
const MAX_AGENTS = 64;

/** Files that were written without a review in this editor while an agent was connected. */
export interface UnreviewedWrites {
  /** In the order in which they were written. */
  readonly paths: readonly PosixPath[];
  /** Whether the agent has announced them; otherwise another program may have written them. */
  readonly isCertain: boolean;
}

/** A file that an agent has written, or may have written. */
export interface AgentWrite {
  readonly path: PosixPath;
  /** Whether a diff preceded it. */
  readonly isReviewed: boolean;
  /** Whether the agent has announced it; otherwise another program may have written the file. */
  readonly isCertain: boolean;
  /** Identifies the person's prompt that it follows, as far as the agent reports prompts. */
  readonly turn: string;
}

/** The session of an agent that may write files. */
export interface WritingSession {
  readonly id: SessionId;
  readonly pid: number | undefined;
  readonly agent: Implementation | undefined;
}

/** Options of a {@link WriteWatch}. */
export interface WriteWatchOptions<Session> {
  /** Its event `written` is the source. */
  readonly host: EditorHost;
  readonly platform: Platform;
  readonly clock: Clock;
  /** The connected clients. */
  readonly sessions: () => Iterable<Session>;
  /** Whether a client is an agent: others write nothing. */
  readonly isAgent: (session: Session) => boolean;
  /** Called without a session when several agents may have written the files. */
  readonly emit: (session: Session | undefined, writes: UnreviewedWrites) => void;
  /** Called immediately with each write of an agent, if the agent is known, reviewed here or not. */
  readonly onwrite?: (session: Session | undefined, write: AgentWrite) => void;
  /** Whether Claude Code asks the person itself: then none of its writes is unreviewed. */
  readonly asksItself?: () => Promise<boolean>;
}

/** The writes of one agent's process, or those of no known agent. */
interface Writer<Session> {
  session: Session | undefined;
  /** How many prompts the person has entered. */
  prompts: number;
  readonly expected: ExpectedWrites;
  readonly certain: WriteNotices;
  readonly possible: WriteNotices;
}

/**
 * Notices files that are written without a review while an agent is connected, whether or not the agent
 * requests diagnostics. A preceding `openDiff` means that the person was asked. Claude Code announces its
 * edits by the request of the file's diagnostics; any other write may be that of a shell command, and so
 * of another program.
 */
export class WriteWatch<Session extends WritingSession> {
  readonly #options: WriteWatchOptions<Session>;
  /** By process: a diff outlives its connection, since the agent then asks the person itself. */
  readonly #writers = new Map<string, Writer<Session>>();
  /** Writes that may be those of several agents. */
  readonly #anyone: Writer<Session>;
  readonly #leaving = new Map<string, { readonly session: Session; readonly timer: unknown }>();
  readonly #unsubscribe: Unsubscribe;
  #isClosed = false;

  constructor(options: WriteWatchOptions<Session>) {
    this.#options = options;
    this.#anyone = this.#createWriter(undefined);
    this.#unsubscribe = options.host.on("written", (paths) => this.#written(paths));
  }

  /** The agent has proposed a diff of a file. */
  proposed(session: Session, path: PosixPath): void {
    this.#of(session).expected.proposed(this.#keyOf(path));
  }

  /** A diff has ended. */
  answered(session: Session, path: PosixPath, { kind }: Pick<DiffOutcome, "kind">): void {
    const isRefused = kind === "rejected" || kind === "closed";
    this.#of(session).expected.answered(this.#keyOf(path), isRefused);
  }

  /** The person has entered the next prompt. */
  prompted(session: Session): void {
    const writer = this.#of(session);
    writer.expected.prompted();
    writer.prompts += 1;
    this.#endTurn(writer);
  }

  /**
   * The agent has requested the diagnostics of a file, as it does before writing it. Resolves once the
   * host has read the file as it is; answer the agent only then.
   */
  async asked(session: Session, path: PosixPath): Promise<void> {
    if (!isClaude(session)) return;
    this.#of(session).expected.announced(this.#keyOf(path));
    // It fails for a file that is not in the workspace.
    await this.#options.host.fileVersion?.(path).catch(() => undefined);
  }

  /** The connection has closed; the agent's process may reconnect. */
  ended(session: Session): void {
    // A timer would delay the end of the editor's process.
    if (this.#isClosed) return;
    const key = processOf(session);
    if (this.#options.isAgent(session)) this.#leaves(key, session);
    const writer = this.#writers.get(key);
    if (writer !== undefined) this.#endTurn(writer);
  }

  /** Stops watching. */
  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    for (const { timer } of this.#leaving.values()) this.#options.clock.clearTimeout(timer);
    for (const writer of [this.#anyone, ...this.#writers.values()]) closeWriter(writer);
  }

  #written(paths: readonly PosixPath[]): void {
    const possible = this.#possibleWriter();
    for (const path of paths) {
      const key = this.#keyOf(path);
      const found = [...this.#writers.values()].map((writer) => ({
        writer,
        expectation: writer.expected.written(key),
      }));
      const by = (wanted: Expectation) =>
        found.find(({ expectation }) => expectation === wanted)?.writer;
      const announced = by("announced");
      const reviewed = announced === undefined ? by("reviewed") : undefined;
      if (announced !== undefined) announced.certain.add(key, path);
      else if (reviewed === undefined) possible?.possible.add(key, path);
      const writer = announced ?? reviewed ?? possible;
      if (writer === undefined) continue;
      const isCertain = announced !== undefined;
      const turn = turnOf(writer);
      this.#options.onwrite?.(writer.session, {
        path,
        isReviewed: reviewed !== undefined,
        isCertain,
        turn,
      });
    }
  }

  /** Undefined when no agent is connected: then no write is an agent's. */
  #possibleWriter(): Writer<Session> | undefined {
    const { sessions, isAgent } = this.#options;
    const agents = new Map<string, Session>();
    for (const [key, { session }] of this.#leaving) agents.set(key, session);
    for (const each of sessions()) if (isAgent(each)) agents.set(processOf(each), each);
    const [first, ...others] = agents.values();
    if (first === undefined) return undefined;
    return others.length === 0 ? this.#of(first) : this.#anyone;
  }

  #of(session: Session): Writer<Session> {
    const key = processOf(session);
    const known = this.#writers.get(key);
    if (known !== undefined) {
      known.session = session;
      return known;
    }
    const writer = this.#createWriter(session);
    this.#writers.set(key, writer);
    const [oldest] = this.#writers;
    if (this.#writers.size > MAX_AGENTS && oldest !== undefined) this.#forget(...oldest);
    return writer;
  }

  #createWriter(session: Session | undefined): Writer<Session> {
    const { clock } = this.#options;
    const createNotices = (isCertain: boolean) =>
      new WriteNotices(clock, (paths) => this.#emit(writer.session, { paths, isCertain }));
    const writer: Writer<Session> = {
      session,
      prompts: 0,
      expected: new ExpectedWrites(clock),
      certain: createNotices(true),
      possible: createNotices(false),
    };
    return writer;
  }

  #endTurn({ certain, possible }: Writer<Session>): void {
    for (const notices of [certain, possible, this.#anyone.possible]) notices.endTurn();
  }

  #leaves(key: string, session: Session): void {
    const { clock } = this.#options;
    clock.clearTimeout(this.#leaving.get(key)?.timer);
    const timer = clock.setTimeout(() => this.#leaving.delete(key), LEAVING_MS);
    this.#leaving.set(key, { session, timer });
  }

  #forget(key: string, writer: Writer<Session>): void {
    closeWriter(writer);
    this.#writers.delete(key);
  }

  #keyOf(path: PosixPath): string {
    return comparisonKey(path, this.#options.platform);
  }

  async #emit(session: Session | undefined, writes: UnreviewedWrites): Promise<boolean> {
    if (isClaude(session) && (await this.#options.asksItself?.()) === true) return false;
    this.#options.emit(session, writes);
    return true;
  }
}

function closeWriter<Session>({ expected, certain, possible }: Writer<Session>): void {
  for (const each of [expected, certain, possible]) each.close();
}

function turnOf<Session extends WritingSession>({ session, prompts }: Writer<Session>): string {
  return `${session === undefined ? "any" : processOf(session)}, prompt ${prompts}`;
}

function isClaude(session: WritingSession | undefined): boolean {
  return session?.agent?.name === "claude-code";
}

function processOf({ id, pid }: WritingSession): string {
  return pid === undefined ? id : `pid ${pid}`;
}

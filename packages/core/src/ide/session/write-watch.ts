import type { Implementation } from "../../mcp/protocol.ts";
import { comparisonKey, type Platform, type PosixPath } from "../../paths/posix-path.ts";
import type { Clock } from "../../rpc/clock.ts";
import type { EditorHost, SessionId } from "../editor-host.ts";

/** How soon an agent writes a file after it has requested the diagnostics. */
const WINDOW_MS = 5_000;
const POLL_MS = 100;
/** Writes within this time are reported together. */
const GATHER_MS = 1_000;
/** How many files are watched at once, and kept of each kind for one agent. */
const MAX_FILES = 1_000;
const MAX_AGENTS = 64;

/** Files that an agent has written without a review in this editor. */
export interface UnreviewedWrites {
  /** In the order in which they were written. */
  readonly paths: readonly PosixPath[];
}

/** The session of an agent that may write files. */
export interface WritingSession {
  readonly id: SessionId;
  readonly pid: number | undefined;
  readonly agent: Implementation | undefined;
}

/** Options of a {@link WriteWatch}. */
export interface WriteWatchOptions<Session> {
  readonly host: EditorHost;
  readonly platform: Platform;
  readonly clock: Clock;
  readonly emit: (session: Session, writes: UnreviewedWrites) => void;
}

/** What the person has chosen. */
export interface WriteWatchChoices {
  /** Whether changes are reviewed in the agent itself: then no write is unreviewed. */
  readonly asksItself?: () => Promise<boolean>;
}

/** Creates the watch of one server. */
export type WatchWrites = <Session extends WritingSession>(
  options: WriteWatchOptions<Session>,
) => WriteWatch<Session>;

/**
 * Notices the files that agents write without a review, for the option `writes` of an IDE server, which then
 * emits `unreviewed`: a value, so that a bundle contains it only when it is in use.
 */
export function watchWrites(choices: WriteWatchChoices = {}): WatchWrites {
  return (options) => new WriteWatch(options, choices);
}

/** The writes between two prompts. */
interface Turn {
  /** Files that were written and are not reported yet, by comparison key. */
  written: Map<string, PosixPath>;
  wasSent: boolean;
  isOver: boolean;
  timer: unknown;
}

/** The state of one agent's process. */
interface AgentWrites {
  /** How many diffs of each file were proposed and not refused, by comparison key. */
  readonly proposed: Map<string, number>;
  turn: Turn;
}

/**
 * Notices files that Claude Code writes without a diff: before each edit it requests the file's
 * diagnostics, and a preceding `openDiff` means that the person was asked. It reports at most twice
 * between two prompts: soon after the first file, and at the end for all others.
 */
export class WriteWatch<Session extends WritingSession> {
  readonly #options: WriteWatchOptions<Session>;
  readonly #choices: WriteWatchChoices;
  /** By process: a diff outlives its connection, since the agent then asks the person itself. */
  readonly #agents = new Map<string, AgentWrites>();
  #watched = 0;
  #isClosed = false;

  constructor(options: WriteWatchOptions<Session>, choices: WriteWatchChoices) {
    this.#options = options;
    this.#choices = choices;
  }

  /** The agent has proposed a diff of a file. */
  proposed(session: Session, path: PosixPath): void {
    const { proposed } = this.#of(session);
    const key = comparisonKey(path, this.#options.platform);
    if (proposed.size < MAX_FILES) proposed.set(key, (proposed.get(key) ?? 0) + 1);
  }

  /** The person has rejected or closed the diff, so no write is expected. */
  refused(session: Session, path: PosixPath): void {
    this.#takeProposal(session, path);
  }

  /** The person has entered the next prompt. */
  prompted(session: Session): void {
    const agent = this.#of(session);
    agent.proposed.clear();
    this.#end(session, agent.turn);
    agent.turn = beginTurn();
  }

  /**
   * The agent has requested the diagnostics of a file, as it does before writing it. Resolves once the
   * file's present version is known; answer the agent only then.
   */
  async asked(session: Session, path: PosixPath): Promise<void> {
    const version = this.#options.host.fileVersion?.bind(this.#options.host);
    if (version === undefined || session.agent?.name !== "claude-code") return;
    if (this.#takeProposal(session, path) || this.#watched >= MAX_FILES) return;
    try {
      const before = await version(path);
      const { turn } = this.#of(session);
      this.#watched += 1;
      void this.#isWritten(() => version(path), before)
        .then((isWritten) => isWritten && this.#found(session, turn, path))
        .finally(() => {
          this.#watched -= 1;
        });
    } catch {
      // The file is not in the workspace.
    }
  }

  /** The connection has closed; the agent's process may reconnect. */
  ended(session: Session): void {
    const agent = this.#of(session);
    this.#end(session, agent.turn);
    if (agent.proposed.size === 0) this.#agents.delete(keyOf(session));
  }

  /** Stops watching. */
  close(): void {
    this.#isClosed = true;
    this.#agents.clear();
  }

  #of(session: Session): AgentWrites {
    const key = keyOf(session);
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const agent = { proposed: new Map(), turn: beginTurn() };
    this.#agents.set(key, agent);
    const [oldest] = this.#agents.keys();
    if (this.#agents.size > MAX_AGENTS && oldest !== undefined) this.#agents.delete(oldest);
    return agent;
  }

  #takeProposal(session: Session, path: PosixPath): boolean {
    const { proposed } = this.#of(session);
    const key = comparisonKey(path, this.#options.platform);
    const count = proposed.get(key) ?? 0;
    if (count > 1) proposed.set(key, count - 1);
    else proposed.delete(key);
    return count > 0;
  }

  async #isWritten(
    version: () => Promise<string | undefined>,
    before: string | undefined,
  ): Promise<boolean> {
    for (let ms = 0; ms < WINDOW_MS && !this.#isClosed; ms += POLL_MS) {
      await new Promise<void>((resolve) => this.#options.clock.setTimeout(resolve, POLL_MS));
      if ((await version().catch(() => before)) !== before) return true;
    }
    return false;
  }

  #found(session: Session, turn: Turn, path: PosixPath): void {
    const key = comparisonKey(path, this.#options.platform);
    if (turn.written.size < MAX_FILES) turn.written.set(key, path);
    if (!turn.wasSent || turn.isOver) this.#emitSoon(session, turn);
  }

  /** Delayed, since the last write may not have been noticed yet. */
  #end(session: Session, turn: Turn): void {
    turn.isOver = true;
    if (turn.written.size > 0) this.#emitSoon(session, turn);
  }

  #emitSoon(session: Session, turn: Turn): void {
    const { clock } = this.#options;
    turn.timer ??= clock.setTimeout(() => void this.#emit(session, turn), GATHER_MS);
  }

  async #emit(session: Session, turn: Turn): Promise<void> {
    const isAsked = await this.#choices.asksItself?.();
    turn.timer = undefined;
    turn.wasSent = true;
    const paths = [...turn.written.values()];
    turn.written = new Map();
    if (isAsked !== true && !this.#isClosed) this.#options.emit(session, { paths });
  }
}

function beginTurn(): Turn {
  return { written: new Map(), wasSent: false, isOver: false, timer: undefined };
}

function keyOf({ id, pid }: WritingSession): string {
  return pid === undefined ? id : `pid ${pid}`;
}

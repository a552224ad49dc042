import type { Implementation } from "../../mcp/protocol.ts";
import { comparisonKey, type Platform, type PosixPath } from "../../paths/posix-path.ts";
import type { Clock } from "../../rpc/clock.ts";
import type { EditorHost, SessionId } from "../editor-host.ts";

/** An agent writes at once after it has asked what was wrong with the file before. */
const WINDOW_MS = 5_000;
const POLL_MS = 100;
/** Files that are written one after the other are told of together. */
const GATHER_MS = 1_000;
/** So many files are looked at at once, and so many kept of each kind for one agent. */
const MAX_FILES = 1_000;
const MAX_AGENTS = 64;

/** Files that an agent wrote though nobody was asked here. */
export interface UnreviewedWrites {
  /** In the order in which they were written. */
  readonly paths: readonly PosixPath[];
}

/** What is known of whoever writes. */
export interface WritingSession {
  readonly id: SessionId;
  readonly pid: number | undefined;
  readonly agent: Implementation | undefined;
}

/** What a {@link WriteWatch} looks at, and who is called when it has found something. */
export interface WriteWatchOptions<Session> {
  readonly host: EditorHost;
  readonly platform: Platform;
  readonly clock: Clock;
  /** Whether the person has chosen to be asked by the agent itself. */
  readonly asksItself?: (() => Promise<boolean>) | undefined;
  readonly emit: (session: Session, writes: UnreviewedWrites) => void;
}

/** What happened between two prompts. */
interface Turn {
  /** What was written and is not told yet. */
  written: Map<string, PosixPath>;
  wasSent: boolean;
  isOver: boolean;
  timer: unknown;
}

/** What is known of one agent's process. */
interface AgentWrites {
  /** How many proposals of each file were made that were not refused, by its comparison key. */
  readonly proposed: Map<string, number>;
  turn: Turn;
}

/**
 * Notices files that Claude Code writes without a proposal: before each edit it asks for the file's
 * diagnostics, and when there was an `openDiff` before that, somebody was asked. It is told at most
 * twice between two prompts: soon after the first file, and then of all the others.
 */
export class WriteWatch<Session extends WritingSession> {
  readonly #options: WriteWatchOptions<Session>;
  /** By process: a proposal outlives its connection, since the agent goes on asking by itself. */
  readonly #agents = new Map<string, AgentWrites>();
  #watched = 0;
  #isClosed = false;

  constructor(options: WriteWatchOptions<Session>) {
    this.#options = options;
  }

  /** The agent asks the person about a file here; whatever becomes of it, it was asked. */
  proposed(session: Session, path: PosixPath): void {
    const { proposed } = this.#of(session);
    const key = comparisonKey(path, this.#options.platform);
    if (proposed.size < MAX_FILES) proposed.set(key, (proposed.get(key) ?? 0) + 1);
  }

  /** The person has said no: nothing is to be written. */
  refused(session: Session, path: PosixPath): void {
    this.#takeProposal(session, path);
  }

  /** The person has typed the next prompt. */
  prompted(session: Session): void {
    const agent = this.#of(session);
    agent.proposed.clear();
    this.#end(session, agent.turn);
    agent.turn = beginTurn();
  }

  /**
   * The agent asks what is wrong with a file, as it does before it writes it. Settles when it is
   * known how the file is now, so that it is not written before.
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
      // It is no file of the workspace.
    }
  }

  /** The connection has closed; the agent's process may come back. */
  ended(session: Session): void {
    const agent = this.#of(session);
    this.#end(session, agent.turn);
    if (agent.proposed.size === 0) this.#agents.delete(keyOf(session));
  }

  /** Looks at nothing any more. */
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

  /** A file that was written just now may not be found yet. */
  #end(session: Session, turn: Turn): void {
    turn.isOver = true;
    if (turn.written.size > 0) this.#emitSoon(session, turn);
  }

  #emitSoon(session: Session, turn: Turn): void {
    const { clock } = this.#options;
    turn.timer ??= clock.setTimeout(() => void this.#emit(session, turn), GATHER_MS);
  }

  async #emit(session: Session, turn: Turn): Promise<void> {
    const isAsked = await this.#options.asksItself?.();
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

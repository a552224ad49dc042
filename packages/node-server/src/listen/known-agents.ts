import type { Dialect, IdeSession } from "@idewire/core";
import { claudeCommand, losesDiagnostics } from "@idewire/core/internal";
import { evictOldest } from "@idewire/core/internal/base";
import { IdewireError } from "@idewire/core/rpc";
import type { ResumeRecord } from "../discovery/folder-claim.ts";
import { identify, type ProcessIdentity } from "../process/liveness.ts";

/** The limit of remembered agents; the most recent are kept. */
const MAX_AGENTS = 64;

export interface KnownAgentsOptions {
  readonly dialects: readonly Dialect[];
  /** The agents recorded by the previous run. */
  readonly previous: Pick<ResumeRecord, "agents" | "pid"> | undefined;
  readonly record: (agents: readonly ProcessIdentity[]) => void;
  readonly warn: (error: Error) => void;
}

/**
 * The processes of the agents that have connected. One recorded by the previous run has reconnected: Claude
 * Code then no longer requests diagnostics (docs/clients/claude-code.md, Reconnecting).
 */
export class KnownAgents {
  readonly #options: KnownAgentsOptions;
  readonly #known = new Map<string, ProcessIdentity>();
  readonly #withoutDiffs = new Set<string>();

  constructor(options: KnownAgentsOptions) {
    this.#options = options;
  }

  /** Called when a session has sent the id of its process. */
  identified({ pid, agent }: Pick<IdeSession, "pid" | "agent">): void {
    if (pid === undefined) return;
    const { previous, record, warn } = this.#options;
    const identity = identify(pid);
    const key = keyOf(identity);
    const isNew = !this.#known.has(key);
    this.#known.delete(key);
    this.#known.set(key, identity);
    evictOldest(this.#known, MAX_AGENTS);
    record([...this.#known.values()]);
    const isBack = isNew && previous?.agents?.some((other) => keyOf(other) === key);
    if (isBack && losesDiagnostics(agent)) warn(withoutDiagnostics(pid));
  }

  /**
   * Called when a session has begun. One that continues after a crash has its context again, but no diffs
   * (docs/clients/gemini-cli.md, Connection); its family is reported once.
   */
  initialized({ continued, agent }: Pick<IdeSession, "continued" | "agent">): void {
    const { dialects, previous, warn } = this.#options;
    // A run that ends in order leaves no process.
    if (!continued || previous?.pid === undefined) return;
    const { title, enable } =
      dialects.find((dialect) => dialect.agent?.name === agent?.name)?.agent ?? {};
    if (title === undefined || enable === undefined || this.#withoutDiffs.has(title)) return;
    this.#withoutDiffs.add(title);
    warn(withoutDiffs(title, enable.command));
  }
}

function keyOf({ pid, started = "" }: ProcessIdentity): string {
  return `${pid} ${started}`;
}

function withoutDiffs(title: string, command: string): IdewireError {
  return new IdewireError(
    "closed",
    `${title} was connected when idewire was killed. It knows what you select again, but opens no diffs here: type ${command} in it`,
  );
}

function withoutDiagnostics(pid: number): IdewireError {
  return new IdewireError(
    "closed",
    `Claude Code (process ${pid}) was connected before idewire was restarted. That session requests no diagnostics any more: it learns of no problems or comments. To get them back, end it and start it again in its folder: ${claudeCommand} --continue`,
  );
}

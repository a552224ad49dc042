import type { IdeSession } from "@idewire/core";
import { IdewireError } from "@idewire/core/rpc";
import { identify, type ProcessIdentity } from "../process/liveness.ts";

/** How many agents are remembered, those that came last. */
const MAX_AGENTS = 64;

export interface KnownAgentsOptions {
  /** Those that the run before this one knew. */
  readonly previous: readonly ProcessIdentity[];
  readonly record: (agents: readonly ProcessIdentity[]) => void;
  readonly warn: (error: Error) => void;
}

/**
 * The processes of the agents that have connected. One that the last run has known has reconnected: Claude
 * Code then requests no diagnostics any more (docs/clients/claude-code.md, Reconnecting).
 */
export class KnownAgents {
  readonly #options: KnownAgentsOptions;
  readonly #known = new Map<string, ProcessIdentity>();

  constructor(options: KnownAgentsOptions) {
    this.#options = options;
  }

  /** A session has said which process it is. */
  identified({ pid, agent }: Pick<IdeSession, "pid" | "agent">): void {
    if (pid === undefined) return;
    const { previous, record, warn } = this.#options;
    const identity = identify(pid);
    const key = keyOf(identity);
    const isNew = !this.#known.has(key);
    this.#known.delete(key);
    this.#known.set(key, identity);
    record([...this.#known.values()].slice(-MAX_AGENTS));
    const isBack = isNew && previous.some((other) => keyOf(other) === key);
    if (isBack && agent?.name === "claude-code") warn(withoutDiagnostics(pid));
  }
}

function keyOf({ pid, started = "" }: ProcessIdentity): string {
  return `${pid} ${started}`;
}

function withoutDiagnostics(pid: number): IdewireError {
  return new IdewireError(
    "closed",
    `Claude Code (process ${pid}) was connected before idewire was restarted. That session requests no diagnostics any more: it learns of no problems or comments. To get them back, end it and start it again in its folder: claude --continue --ide`,
  );
}

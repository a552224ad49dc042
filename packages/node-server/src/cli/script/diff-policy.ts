import type { DiffOutcome, DiffRequest } from "@idewire/core";
import type { FolderHost } from "../../folder-host/folder-host.ts";
import type { ScriptCommands } from "./commands.ts";

type Policy = ScriptCommands["diff"];

/** Answers proposals as the script has said last; until it says so they wait. */
export class DiffPolicy {
  readonly #host: FolderHost;
  #policy: Policy = { do: "diff", answer: "wait" };

  constructor(host: FolderHost) {
    this.#host = host;
  }

  /** Takes a policy, and answers what waits now. */
  set(policy: Policy): void {
    this.#policy = policy;
    for (const { request } of [...this.#host.pendingDiffs]) this.apply(request);
  }

  /** Answers one proposal, unless it is to wait. */
  apply(request: DiffRequest): void {
    const outcome = toOutcome(this.#policy, request.proposed);
    if (outcome !== undefined) this.#host.answerDiff(request.id, outcome);
  }
}

function toOutcome({ answer, text, suffix }: Policy, proposed: string): DiffOutcome | undefined {
  switch (answer) {
    case "wait":
      return undefined;
    case "accept":
      return { kind: "accepted", text: proposed, edited: false };
    case "accept-edited": {
      const edited = text ?? proposed + (suffix ?? "");
      return { kind: "accepted", text: edited, edited: edited !== proposed };
    }
    case "reject":
      return { kind: "rejected" };
    case "close":
      return { kind: "closed" };
  }
}

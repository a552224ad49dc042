import type { DiffRequest, EditorCommand } from "@idewire/core";
import type { DiffAnswer } from "@idewire/core/internal";
import type { FolderHost } from "../../folder-host/folder-host.ts";
import type { DiffRule } from "./commands.ts";

/** Answers diffs by the script's last rule; without one they stay pending. */
export class DiffPolicy {
  readonly #host: FolderHost;
  readonly #act: (command: EditorCommand<string>) => Promise<unknown>;
  #rule: DiffRule = { do: "diff", answer: "wait" };

  /** @param act runs a command of the script */
  constructor(host: FolderHost, act: (command: EditorCommand<string>) => Promise<unknown>) {
    this.#host = host;
    this.#act = act;
  }

  /** Sets a rule, and applies it to the pending diffs. */
  set(rule: DiffRule): void {
    this.#rule = rule;
    for (const { request } of [...this.#host.pendingDiffs]) this.apply(request);
  }

  /** Answers a diff, unless it is to stay pending. */
  apply(request: DiffRequest): void {
    const answer = toAnswer(this.#rule, request.proposed);
    if (answer !== undefined) void this.#act({ do: "answerDiff", id: request.id, answer });
  }
}

function toAnswer(
  { answer, text, suffix = "" }: DiffRule,
  proposed: string,
): DiffAnswer | undefined {
  switch (answer) {
    case "wait":
      return undefined;
    case "accept":
      return { kind: "accepted", text: proposed };
    case "accept-edited":
      return { kind: "accepted", text: text ?? proposed + suffix };
    case "reject":
      return { kind: "rejected" };
    case "close":
      return { kind: "closed" };
  }
}

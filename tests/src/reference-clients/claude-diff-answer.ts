import type { Reply } from "./claude-link.ts";
import { textItems, toObject } from "./wire.ts";

/** The client's interpretation of the answer to openDiff; `fault` is a rule that the server broke. */
export type DiffVerdict =
  | { readonly kind: "accepted"; readonly text: string; readonly fault?: string }
  | { readonly kind: "rejected"; readonly fault?: string }
  | { readonly kind: "undecided"; readonly fault?: string };

export function assessDiffAnswer(
  reply: Reply,
  texts: { readonly old: string; readonly proposed: string },
): DiffVerdict {
  if (reply.kind === "lost") return { kind: "undecided" };
  if (reply.kind === "error") return { kind: "undecided", fault: "diff-error" };
  if (toObject(reply.result)["isError"] === true) return { kind: "undecided", fault: "diff-error" };
  const [word, text] = textItems(reply.result);
  if (word === "DIFF_REJECTED") return { kind: "rejected" };
  // Closing a tab is not an acceptance: a server that reports one causes a write against the person's will.
  if (word === "TAB_CLOSED") {
    return { kind: "accepted", text: texts.proposed, fault: "tab-closed-accepts" };
  }
  if (word !== "FILE_SAVED") return { kind: "undecided", fault: "diff-answer" };
  if (text === undefined) return { kind: "undecided", fault: "file-saved-without-text" };
  return text === texts.old ? { kind: "rejected" } : { kind: "accepted", text };
}

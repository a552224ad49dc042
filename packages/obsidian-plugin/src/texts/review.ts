import { describePlace, type HunkPlace } from "@idewire/codemirror/internal";
import { outsideTexts } from "@idewire/core/internal";
import { countOf } from "@idewire/core/internal/base";
import { text, type Value, type Values } from "./text.ts";

const outside = outsideTexts("vault");
const hunks = (count: number) => countOf(count, "hunk");

/** Reviews of proposed changes. */
export const review = {
  tab: (name: Value) => text`Review ${name}`,
  untitledTab: "Review",
  none: "No review is pending.",
  elsewhere: "This review is open in another tab.",
  showElsewhere: "Show it",
  waiting: (count: number) => countOf(count, "review"),
  waitingTip: "Pending reviews. Click to show the next one.",
  notice: ({ agent, name }: Values<"agent" | "name">) => text`${agent} proposes changes to ${name}`,
  showNotice: "Review it",
  tooLong: (name: Value) =>
    text`${name} is too long to back up your edits: they would be lost if Obsidian crashed.`,
  gone: ({ agent, name }: Values<"agent" | "name">) =>
    text`${agent} disconnected before you decided about ${name}. The proposal is in the review history.`,
  goneTogether: (count: number) =>
    `The agent disconnected before you decided about ${count} reviews. The proposals are in the review history.`,
  unloaded: ({ agent, name }: Values<"agent" | "name">) =>
    text`Idewire was disabled or updated before you decided about ${name}. ${agent} asks in its terminal now.`,
  unloadedTogether: (count: number) =>
    `Idewire was disabled or updated before you decided about ${count} reviews. The agents ask in their terminals now.`,
  region: ({ agent, name }: Values<"agent" | "name">) =>
    text`Changes that ${agent} proposes to ${name}`,
  by: (agent: Value) => text`Proposed by ${agent}`,
  position: (index: number, total: number) => `${index} of ${total}`,
  badge: {
    create: "New file",
    empty: "Empties the file",
    none: "No changes",
    endings: ({ from, to }: Values<"from" | "to">) => text`Line breaks ${from} → ${to}`,
    endingsIn: (lines: number) => `in ${countOf(lines, "line")}`,
    bom: { added: "Adds a byte order mark", removed: "Removes a byte order mark" },
    edited: "Edited by you",
  },
  hunks,
  left: (count: number, conflicts: number) => {
    if (count === 0) return "All hunks decided";
    const both = conflicts === 0 ? "" : `, ${conflicts} changed on both sides`;
    return `${hunks(count)} left${both}`;
  },
  acceptFile: "Accept file",
  rejectFile: "Reject file",
  keep: "Keep the file unchanged",
  accept: "Accept",
  reject: "Reject",
  acceptPlace: (place: HunkPlace) => `Accept ${describePlace(place)}`,
  rejectPlace: (place: HunkPlace) => `Reject ${describePlace(place)}`,
  undo: "Undo the last decision",
  keys: "Keys in a review",
  keysDesc: "They work in the tab of a review. You can also assign hotkeys to the review commands.",
  key: {
    next: "Next hunk",
    previous: "Previous hunk",
    acceptHunk: "Accept this hunk",
    rejectHunk: "Reject this hunk",
    accept: "Accept the file",
    reject: "Reject the file",
    undo: "Undo the last decision",
    redo: "Redo it",
  },
  change: { next: "Next hunk", previous: "Previous hunk" },
  file: { next: "Next review", previous: "Previous review" },
  preview: {
    title: "How the changes will look",
    note: "Images, embeds, HTML, formulas and code are not loaded or run before you accept.",
    none: "The visible text does not change.",
    cut: (count: number) => `The first ${count} parts are shown.`,
    removed: "Removed",
    added: "Added",
  },
  folded: "$ unchanged lines",
  before: "Previous text",
  current: "Current text",
  proposed: "Proposed text (editable)",
  proposedPast: "Proposed text",
  renamed: ({ old, agent }: Values<"old" | "agent">) =>
    text`The note was called ${old} when this was proposed. If you accept, the text is written here, and ${agent} receives the answer that its edit of ${old} was rejected: otherwise it would create that note again.`,
  overlaps: (count: number) =>
    `The file on disk and your unsaved text changed the same words in ${countOf(count, "place")}. There, the current text contains your version.`,
  outside: (path: Value) => text`${outside.title} The agent would write ${path}, ${outside.why}`,
  comment: {
    start: "Comment on the selected lines",
    send: (count: number, isWaiting: boolean) =>
      `Send ${countOf(count, "comment")}${isWaiting ? ", reject" : ""}`,
    remove: "Remove",
    outcome: (words: Value) => text`${words}`,
    copied: "Copied to the clipboard.",
    noNote: "comments are stored beside notes of this vault only",
  },
  /** Asked before a file outside the vault is accepted. */
  confirmOutside: outside,
  newer: {
    changed: "The file has changed since this was proposed.",
    missing: "The file has been deleted since this was proposed.",
    unreadable: "The file can no longer be read.",
    merge: "Merge both versions",
    compare: "Compare with the new text",
    goOn: "Continue anyway",
  },
  merged: "Both versions are merged. Check the result.",
  mergedOverlaps: (count: number) =>
    count === 1
      ? "Both versions are merged. 1 place was changed in both and has the proposed text: reject the hunk there to keep yours."
      : `Both versions are merged. ${count} places were changed in both and have the proposed text: reject the hunks there to keep yours.`,
  unreadable: "The current text cannot be shown: the file is too large or not text.",
  expired:
    "This review has expired: Obsidian was closed, Idewire was updated, or the agent disconnected before you decided. The file was not changed.",
  lostProposal: "The proposed text was not kept.",
  past: {
    waiting: "Pending",
    accepted: "Accepted",
    edited: "Accepted with your edits",
    rejected: "Rejected",
    closed: "Closed without an answer",
    "answered-elsewhere": "Answered in the agent, outcome unknown",
    withdrawn: "Withdrawn by the agent",
    expired: "Expired",
    unreviewed: "Written without a review",
    undone: "Undone",
    kept: "Kept",
    "partly-undone": "Undone in part",
  },
  textless: "The text of this note is not kept, because the note is excluded from sharing.",
  copy: "Copy the proposed text",
  copied: "Copied",
  restore: {
    proposal: "Apply it myself…",
    before: "Restore the previous text…",
    info: "Choose the text for the note. Nothing is written until you press the button, and you can undo it in the note.",
    apply: "Apply to the note",
    done: (name: Value) => text`${name} now has this text. You can undo it there.`,
    failed: (name: Value) => text`${name} cannot be opened as text.`,
    outside: "Only notes in this vault can be changed here. Copy the text instead.",
  },
  back: "Back",
  history: {
    title: "Review history",
    empty: "No reviews yet. Proposals are kept here for a while, on this device only.",
    off: "The review history is turned off in the settings.",
    open: "Show the proposal",
    forget: "Delete this review",
    clear: "Delete all reviews",
    failed: (reason: Value) => text`The review history cannot be saved: ${reason}`,
  },
  command: {
    next: "Go to the next hunk in the review",
    previous: "Go to the previous hunk in the review",
    accept: "Accept this hunk in the review",
    reject: "Reject this hunk in the review",
    undo: "Undo the last decision in the review",
    acceptFile: "Accept the file under review",
    rejectFile: "Reject the file under review",
    rejectAll: "Reject all pending reviews",
    nextFile: "Show the next pending review",
    previousFile: "Show the previous pending review",
    show: "Show the pending review",
    layout: "Switch between unified and side-by-side review",
    preview: "Show or hide how the reviewed changes will look",
    fold: "Show or hide unchanged lines in the review",
    history: "Open the review history",
  },
};

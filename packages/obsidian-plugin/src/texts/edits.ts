import { describePlace, type HunkPlace } from "@idewire/codemirror/internal";
import { countOf } from "@idewire/core/internal/base";
import { text, type Value, type Values } from "./text.ts";

/** Edits that were written without a review. */
export const edits = {
  title: "Edits without a review",
  show: "Show the edits",
  empty:
    "No edits without a review. While an agent is connected, notes that it writes without asking you are listed here.",
  // Git, a synchronisation or a script writes notes as well.
  while: (agents: Value) => text`An agent or another program, while connected: ${agents}`,
  anAgent: "an agent",
  undo: "Undo this edit",
  accept: "Keep",
  reject: "Undo",
  acceptPlace: (place: HunkPlace) => `Keep ${describePlace(place)}`,
  rejectPlace: (place: HunkPlace) => `Undo ${describePlace(place)}`,
  hunkChanged: (name: Value) =>
    text`This hunk is not undone: its lines in ${name} have changed since they were written.`,
  partly: ({ name, refused }: Values<"name" | "refused">) =>
    text`The edit of ${name} was undone, except for hunks whose lines have changed since: ${refused}.`,
  undoTurn: "Undo everything of this turn",
  askTurn: (names: Value) =>
    text`This undoes everything that the agent has written since your last prompt: ${names}.`,
  undoThem: "Undo them",
  cancel: "Cancel",
  turnUndone: (count: number) => `Undone in ${countOf(count, "note")}.`,
  undone: (name: Value) => text`The edit of ${name} was undone.`,
  changed: (name: Value) =>
    text`${name} has changed since this edit and was not restored. To choose what to undo, select Restore the previous text.`,
  failed: ({ name, reason }: Values<"name" | "reason">) =>
    text`${name} could not be written: ${reason}`,
  command: "Show edits that agents wrote without a review",
};

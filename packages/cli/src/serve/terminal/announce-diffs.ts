import { baseName, type Unsubscribe } from "@idewire/core";
import { line } from "../../output/printable.ts";
import type { TerminalScreen } from "./prompt/screen.ts";
import type { ReviewedEditor } from "./review/diff-queue.ts";

/** Rings the bell for each new diff, and shows the pending one in the title of the window. */
export function announceDiffs(host: ReviewedEditor, screen: TerminalScreen): Unsubscribe {
  const retitle = () => {
    const { pendingDiffs: waiting } = host;
    const [first] = waiting;
    screen.title = first && line`(${waiting.length}) ${baseName(first.request.path)} - idewire`;
  };
  const undo = [
    host.onDiff("diffOpened", () => {
      screen.ring();
      retitle();
    }),
    host.onDiff("diffClosed", retitle),
  ];
  return () => {
    for (const each of undo) each();
    screen.title = undefined;
  };
}

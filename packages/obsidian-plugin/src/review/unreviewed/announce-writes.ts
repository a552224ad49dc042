import type { PosixPath } from "@idewire/core";
import type { UnreviewedWrites } from "@idewire/core/internal";
import { noticeWithAction } from "../../notice-with-action.ts";
import { texts } from "../../texts/index.ts";

/** How many notes are named. */
const MAX_NAMES = 3;

/** How long a notice about writes is shown that may be another program's. */
const POSSIBLE_MS = 10_000;

export interface AnnounceWritesParts {
  /** The name of the agent; undefined if several agents may have written the notes. */
  readonly agent: string | undefined;
  readonly nameOf: (path: PosixPath) => string;
  /** Shows the edits that were written without a review. */
  readonly show: () => void;
}

/** Shows which notes were written without a review; the permission mode can only be changed in the agent. */
export function announceWrites(
  { paths, isCertain }: UnreviewedWrites,
  { agent = texts.edits.anAgent, nameOf, show }: AnnounceWritesParts,
): void {
  const names = paths.slice(0, MAX_NAMES).map(nameOf).join(", ");
  const rest = paths.length - MAX_NAMES;
  const files = names + (rest > 0 ? ` +${rest}` : "");
  const { unreviewed, possiblyUnreviewed } = texts.connection;
  const text = isCertain ? unreviewed(files) : possiblyUnreviewed({ files, agent });
  noticeWithAction(text, { text: texts.edits.show, run: show }, isCertain ? 0 : POSSIBLE_MS);
}

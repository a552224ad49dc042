import type { Peer } from "@idewire/core/rpc";
import type { CommentPageMethod, PageHandlers } from "@idewire/devtools/internal";

/** The comments of a folder, for its pages. */
export interface PageComments {
  /** The handlers of a page, which is notified of changes until its peer ends. */
  readonly serve: (peer: Peer) => PageHandlers<CommentPageMethod>;
  readonly close: () => void;
}

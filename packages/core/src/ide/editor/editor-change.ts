import type { Range } from "../../text/position.ts";
import type { Diagnostic } from "../editor-host.ts";

/**
 * What may change in an editor. Its paths are as whoever tells of it writes them: absolute where the
 * editor itself does, from the folder on in a trace.
 */
export type EditorChange =
  | {
      readonly kind: "text";
      readonly path: string;
      readonly text: string;
      /** It is typed, and not on the disk yet. */
      readonly unsaved?: boolean;
    }
  | { readonly kind: "deleted"; readonly path: string }
  | { readonly kind: "opened"; readonly path: string }
  | { readonly kind: "closed"; readonly path: string }
  | { readonly kind: "selected"; readonly path: string; readonly range: Range }
  | {
      readonly kind: "diagnostics";
      readonly path: string;
      readonly diagnostics: readonly Diagnostic[];
    }
  | {
      readonly kind: "review-opened";
      readonly id: string;
      readonly path: string;
      readonly title: string;
      readonly original: string;
      readonly proposed: string;
    }
  | {
      readonly kind: "review-closed";
      readonly id: string;
      readonly outcome: string;
      /** Who ended it, where that is known: see `DiffEndedBy`. */
      readonly by?: string;
    };

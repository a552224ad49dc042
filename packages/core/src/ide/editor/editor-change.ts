import type { Range } from "../../text/position.ts";
import type { Diagnostic } from "../editor-host.ts";

/**
 * A change of an editor's state. Paths are absolute when an editor reports the change, and relative to
 * the workspace folder in a trace.
 */
export type EditorChange =
  | {
      readonly kind: "text";
      readonly path: string;
      readonly text: string;
      /** Whether the text was typed and is not saved yet. */
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
  /** Again, with the same id, when it is compared with another text. */
  | {
      readonly kind: "review-opened";
      readonly id: string;
      readonly path: string;
      readonly title: string;
      readonly original: string;
      readonly proposed: string;
      /** The text of the file when this was proposed, if that was another one. */
      readonly base?: string;
      /** Changes that the lines do not show, in words for the person. */
      readonly notes?: readonly string[];
      /** Whether the file is outside the folder. */
      readonly outside?: boolean;
    }
  | {
      readonly kind: "review-closed";
      readonly id: string;
      readonly outcome: string;
      /** What ended it, if known: see `DiffEndedBy`. */
      readonly by?: string;
    };

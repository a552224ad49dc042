import * as v from "valibot";
import { exactly } from "../../exactly.ts";
import type { Range } from "../../text/position.ts";
import type {
  CloseDiffReason,
  ClosedDiff,
  Diagnostic,
  DiffRequest,
  SaveOutcome,
} from "../editor-host.ts";
import { diagnosticSchema, linesSchema, rangeSchema } from "../model-schemas.ts";
import { type ShareLevel, shareLevels } from "../share-policy.ts";
import { pathSchema } from "./wire-state.ts";

// Requests to an editor with their results, and the notifications it sends beside its state.

type Schema<T> = v.GenericSchema<unknown, T>;

interface RevealParams {
  readonly path: string;
  readonly range?: Range;
  readonly preview?: boolean;
  readonly preserveFocus?: boolean;
}

interface OpenDiffParams extends Omit<DiffRequest, "path" | "oldPath"> {
  readonly path: string;
  readonly oldPath: string;
}

interface DiagnosticsParams {
  readonly path?: string;
}

type OpenDiffResult =
  | { readonly kind: "accepted"; readonly text?: string }
  | { readonly kind: "rejected"; readonly comments?: string }
  | { readonly kind: "closed" }
  | { readonly kind: "cancelled" };

interface MentionParams {
  readonly path: string;
  readonly lines?: { readonly start: number; readonly end: number };
  readonly session?: string;
}

/** The new share policy. */
export interface ShareChange {
  readonly level: ShareLevel;
  /** Patterns of a `.gitignore`, in place of those of the change before; unchanged when left out. */
  readonly exclude?: readonly string[];
}

/** A frame that was sent to an agent. */
export interface SentFrame {
  /** The agent, if it is known and still connected. */
  readonly session?: string;
  /** Milliseconds since 1970. */
  readonly sentMs: number;
  readonly frame: string;
}

const text = v.string();
const flag = v.boolean();

export const pathParams: Schema<{ readonly path: string }> = v.object({ path: pathSchema });

export const revealParams: Schema<RevealParams> = exactly<RevealParams>()(
  v.object({
    path: pathSchema,
    range: v.exactOptional(v.pipe(rangeSchema, v.description("The range to show and select"))),
    preview: v.exactOptional(
      v.pipe(flag, v.description("Whether to use a preview tab, which the next file may replace")),
    ),
    preserveFocus: v.exactOptional(
      v.pipe(flag, v.description("Whether the focus stays where it is")),
    ),
  }),
);

export const selectParams: Schema<{ readonly path: string; readonly range: Range }> = v.object({
  path: pathSchema,
  range: rangeSchema,
});

export const openDiffParams: Schema<OpenDiffParams> = exactly<OpenDiffParams>()(
  v.object({
    id: v.pipe(text, v.description("Identifies the diff; several may be of one file")),
    session: v.pipe(text, v.description("Identifies the agent")),
    path: v.pipe(text, v.description("The file to write; it may not exist")),
    oldPath: v.pipe(text, v.description("The file to compare with")),
    proposed: v.pipe(text, v.description("The whole proposed text")),
    title: text,
    outsideWorkspace: v.pipe(flag, v.description("Whether it is in no folder; warn the person")),
  }),
);

export const closeDiffParams: Schema<{ readonly id: string; readonly why: CloseDiffReason }> =
  v.object({ id: text, why: v.picklist(["answered-elsewhere", "session-gone", "asked"]) });

export const diagnosticsParams: Schema<DiagnosticsParams> = exactly<DiagnosticsParams>()(
  v.object({ path: v.exactOptional(pathSchema) }),
);

export const closeTabParams: Schema<{ readonly key: string }> = v.object({
  key: v.pipe(text, v.description("The label of a tab, or a path")),
});

export const readResult: Schema<{ readonly text: string }> = v.object({
  text: v.pipe(text, v.description("The unsaved text, or else that of the file")),
});

export const openDiffResult: Schema<OpenDiffResult> = exactly<OpenDiffResult>()(
  v.variant("kind", [
    v.object({
      kind: v.literal("accepted"),
      text: v.exactOptional(
        v.pipe(text, v.description("The accepted text; by default the proposed one")),
      ),
    }),
    v.object({
      kind: v.literal("rejected"),
      comments: v.exactOptional(
        v.pipe(text, v.description("The person's comments on the proposal, for the agent")),
      ),
    }),
    v.object({ kind: v.literal("closed") }),
    v.object({ kind: v.literal("cancelled") }),
  ]),
);

export const closeDiffResult: Schema<ClosedDiff> = exactly<ClosedDiff>()(
  v.object({
    alreadyClosed: flag,
    text: v.exactOptional(v.pipe(text, v.description("The text as edited by the person so far"))),
  }),
);

export const diagnosticsResult: Schema<{
  readonly files: readonly { readonly path: string; readonly diagnostics: readonly Diagnostic[] }[];
}> = v.object({
  files: v.array(
    v.object({
      path: pathSchema,
      diagnostics: v.array(diagnosticSchema),
    }),
  ),
});

export const saveResult: Schema<SaveOutcome> = exactly<SaveOutcome>()(
  v.object({
    saved: flag,
    message: v.exactOptional(v.pipe(text, v.description("The reason, when it was not saved"))),
  }),
);

export const closeTabResult: Schema<{ readonly closed: boolean }> = v.object({ closed: flag });

export const diagnosticsChangedParams: Schema<{ readonly paths: readonly string[] }> = v.object({
  paths: v.array(pathSchema),
});

export const mentionParams: Schema<MentionParams> = exactly<MentionParams>()(
  v.object({
    path: pathSchema,
    lines: v.exactOptional(linesSchema),
    session: v.exactOptional(
      v.pipe(text, v.description("The only agent to notify; by default all")),
    ),
  }),
);

export const mentionResult: Schema<{ readonly sessions?: readonly string[] }> = exactly<{
  readonly sessions?: readonly string[];
}>()(
  v.object({
    sessions: v.exactOptional(
      v.pipe(v.array(text), v.description("The agents that receive it; always at least one")),
    ),
  }),
);

const level = v.picklist(shareLevels);

export const shareParams: Schema<ShareChange> = exactly<ShareChange>()(
  v.object({
    level,
    exclude: v.exactOptional(
      v.pipe(
        v.array(text),
        v.description(
          "Files that agents may not see, as in .gitignore, beside those that are never shared; by default unchanged",
        ),
      ),
    ),
  }),
);

export const shareResult: Schema<{ readonly level: ShareLevel }> = v.object({ level });

export const sentParams: Schema<object> = v.object({});

export const sentResult: Schema<{ readonly messages: readonly SentFrame[] }> = v.object({
  messages: v.array(
    exactly<SentFrame>()(
      v.object({
        session: v.exactOptional(v.pipe(text, v.description("The agent, while it is connected"))),
        sentMs: v.pipe(v.number(), v.description("Milliseconds since 1970")),
        frame: v.pipe(text, v.description("The text on the wire, cut at 100,000 UTF-16 units")),
      }),
    ),
  ),
});

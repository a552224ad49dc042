import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { PosixPath } from "../../paths/posix-path.ts";
import { positionAt } from "../../text/text-lines.ts";
import type { IdeTool, IdeToolContext } from "../ide-tool.ts";
import { mayShare } from "../share-policy.ts";
import { revealFile } from "./common/reveal-file.ts";
import { sharedDocuments } from "./common/shared-documents.ts";

export interface OpenFileArguments {
  readonly filePath: string;
  /** Whether to use a preview tab, which the next file may replace. */
  readonly preview?: boolean;
  /** The selection starts at the first occurrence of this text … */
  readonly startText?: string;
  /** … and ends after the next occurrence of this one, by default after `startText`. */
  readonly endText?: string;
  readonly selectToEndOfLine?: boolean;
  /** Whether the file gets the focus; true by default. */
  readonly makeFrontmost?: boolean;
}

/** A file that was opened. */
export interface OpenedFile {
  readonly path: PosixPath;
  /** Whether it has the focus. */
  readonly frontmost: boolean;
  /** Only if it does not have the focus and open documents are shared. */
  readonly contents?: { readonly languageId: string; readonly lineCount: number };
}

const flag = { type: "boolean", optional: true } as const;
const text = { type: "string", optional: true } as const;

/** Shows a file and selects text in it. */
export const openFile: IdeTool<OpenFileArguments, OpenedFile> = {
  title: "Open file",
  description: "Opens a file in the editor, and can select a text in it",
  input: plainInput<OpenFileArguments>({
    filePath: { type: "string", description: "Absolute path of the file" },
    preview: flag,
    startText: text,
    endText: text,
    selectToEndOfLine: flag,
    makeFrontmost: flag,
  }),
  readOnly: true,
  needs: "reveal",
  async run(args, context) {
    const { filePath, preview, startText, endText, selectToEndOfLine, makeFrontmost } = args;
    const frontmost = makeFrontmost !== false;
    const path = await revealFile("filePath", filePath, context, {
      preserveFocus: !frontmost,
      ...(preview !== undefined && { preview }),
      ...(startText && {
        select: {
          startText,
          ...(endText && { endText }),
          toEndOfLine: selectToEndOfLine === true,
        },
      }),
    });
    const contents = frontmost ? undefined : await readContents(path, context);
    return { path, frontmost, ...(contents && { contents }) };
  },
};

async function readContents(
  path: PosixPath,
  context: IdeToolContext,
): Promise<OpenedFile["contents"]> {
  // Counts unsaved lines, too.
  if (!mayShare(context.session.share, "all", path)) return undefined;
  const document = sharedDocuments(context).find((open) => open.path === path);
  if (document === undefined) return undefined;
  const text = await context.host.read(path);
  return { languageId: document.languageId, lineCount: positionAt(text, text.length).line + 1 };
}

import { type CallToolResult, textResult } from "../../mcp/content.ts";
import {
  baseName,
  isInside,
  type Platform,
  type PosixPath,
  relativeTo,
  toNativePath,
} from "../../paths/posix-path.ts";
import { cutText } from "../../text/well-formed.ts";
import type { Dialect } from "../dialect.ts";
import type { EditorHost, SelectionSnapshot } from "../editor-host.ts";
import { type BoundTool, toolBinder } from "../ide-tool.ts";
import { type IdeContext, ideContext } from "../tools/ide-context.ts";
import { folderOfFrame, IDE_CONTEXT, NO_CLIENT, toMcp } from "./codex-wire.ts";
import { CURSOR_AT_START, isFile, jsonResult } from "./shared-answers.ts";

/** How much selected text the agent shows its model. */
const MAX_SELECTED = 200_000;

/**
 * Codex CLI 0.171.0 as measured (docs/clients/codex.md). It requests the context before each prompt, on a
 * connection that lasts until the answer; it receives nothing unsolicited.
 */
export const codex: Dialect = {
  id: "codex",
  endpoint: {
    kind: "frames",
    socket: (uid) => ["codex-ipc", `ipc-${uid}.sock`],
    folderOf: folderOfFrame,
  },
  agent: {
    ...{ name: "codex", title: "Codex CLI", start: "codex" },
    enable: { command: "/ide on", often: "in each session" },
  },
  wire: toMcp,
  isBrief: true,
  argumentErrors: "invalid-params",
  readyDelayMs: 0,
  createTools,
  clientKindOf: () => "",
  follows: [],
  encodeState: () => undefined,
  receive: () => undefined,
};

function createTools(host: EditorHost, platform: Platform): readonly BoundTool[] {
  const bind = toolBinder(host, platform);
  // Any fault of the folder means that no editor has it open.
  const encodeFailure = (): CallToolResult => ({ ...textResult(NO_CLIENT), isError: true });
  return [
    bind(ideContext, IDE_CONTEXT, (context) => jsonResult(encodeContext(context, platform)), {
      encodeFailure,
    }),
  ];
}

function encodeContext({ root, selection, documents }: IdeContext, platform: Platform) {
  const describe = (path: PosixPath, label = baseName(path)) => ({
    label,
    path: isInside(root, path, platform)
      ? relativeTo(root, path, platform)
      : toNativePath(path, platform),
    fsPath: toNativePath(path, platform),
  });
  const files = documents.filter(({ untitled }) => !untitled);
  return {
    ideContext: {
      ...(selection !== undefined &&
        isFile(selection.path) && {
          activeFile: { ...describe(selection.path), ...encodeRanges(selection) },
        }),
      openTabs: files.map(({ path, label }) => describe(path, label)),
    },
  };
}

/** The ranges are listed where there are several: the agent shows them beside the text of all. */
function encodeRanges({ ranges = [], primary }: SelectionSnapshot) {
  const { start, end } = ranges[primary] ?? CURSOR_AT_START;
  const text = ranges.map((range) => range.text).join("\n");
  return {
    selection: { start, end },
    activeSelectionContent: cutText(text, MAX_SELECTED),
    selections:
      ranges.length < 2 ? [] : ranges.map((range) => ({ start: range.start, end: range.end })),
  };
}

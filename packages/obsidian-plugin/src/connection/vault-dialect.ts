import {
  bindTool,
  claudeCode,
  type Dialect,
  encodeFileDiagnostics,
  type IdeSession,
  listOpenDocuments,
  openFiles,
  reformatFile,
  textResult,
  watchDiagnostics,
} from "@idewire/core";
import { type OnAnswer, withAnswerListener } from "../privacy/answer-listener.ts";

/**
 * Claude Code's own dialect, with what Obsidian's plugins have offered beside it: tools that open
 * several notes, list those that are open and format one, and news of diagnostics.
 */
export const createVaultDialect = (onAnswer: OnAnswer<IdeSession>): Dialect => ({
  ...claudeCode,
  createTools(host, platform) {
    const binding = { host, platform };
    const tools = [
      ...claudeCode.createTools(host, platform),
      bindTool(openFiles, {
        ...binding,
        name: "open_files",
        encode: (paths) => textResult(JSON.stringify({ opened_files: paths })),
      }),
      bindTool(listOpenDocuments, {
        ...binding,
        name: "get_all_opened_file_paths",
        encode: (documents) => {
          const files = documents.filter(({ untitled }) => !untitled);
          return textResult(files.map(({ path }) => path).join("\n"));
        },
      }),
      bindTool(reformatFile, {
        ...binding,
        name: "reformat_file",
        encode: (isFound) => textResult(isFound ? "OK" : "File not found"),
      }),
    ];
    return tools.map((tool) => withAnswerListener(tool, onAnswer));
  },
  attach: (server) =>
    watchDiagnostics(server, (file) => ({
      method: "diagnostics_changed",
      params: encodeFileDiagnostics(file, server.platform),
    })),
});

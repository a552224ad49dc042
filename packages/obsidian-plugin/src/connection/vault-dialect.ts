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
 * Claude Code's dialect with additions that other Obsidian plugins have: tools that open several notes,
 * list the open ones and format one, and notifications about diagnostics.
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

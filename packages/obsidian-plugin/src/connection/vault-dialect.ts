import {
  bindTool,
  claudeCode,
  type Dialect,
  encodeFileDiagnostics,
  listOpenDocuments,
  openFiles,
  reformatFile,
  textResult,
  watchDiagnostics,
} from "@idewire/core";

/**
 * Claude Code's own dialect, with what Obsidian's plugins have offered beside it: tools that open
 * several notes, list those that are open and format one, and news of diagnostics.
 */
export const vaultDialect: Dialect = {
  ...claudeCode,
  createTools(host, platform) {
    const binding = { host, platform };
    return [
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
  },
  attach: (server) =>
    watchDiagnostics(server, (file) => ({
      method: "diagnostics_changed",
      params: encodeFileDiagnostics(file, server.platform),
    })),
};

import { claudeCode, claudeCodeSpec, type Dialect } from "@idewire/core";
import { encodeFileDiagnostics, watchDiagnostics } from "@idewire/core/internal";

/** Tools of seed 002 that other Obsidian plugins offer, besides those of Claude Code's dialect. */
const MORE = new Set(["open_files", "get_all_opened_file_paths"]);

/**
 * Claude Code's dialect with additions that other Obsidian plugins have: tools that open several notes and
 * list the open ones, and notifications about diagnostics.
 */
export const vaultDialect: Dialect = {
  ...claudeCode,
  createTools(host, platform) {
    const more = claudeCodeSpec.createTools(host, platform);
    return [
      ...claudeCode.createTools(host, platform),
      ...more.filter(({ name }) => MORE.has(name)),
    ];
  },
  attach: (server) =>
    watchDiagnostics(server, (file) => ({
      method: "diagnostics_changed",
      params: encodeFileDiagnostics(file, server.platform),
    })),
};

import type { Diagnostic } from "@idewire/core";
import type { App, Plugin, TFile } from "obsidian";
import { addCliHandler } from "../commands/cli-handler.ts";
import { showRange } from "../documents/show-range.ts";
import { texts } from "../texts/index.ts";
import type { VaultPaths } from "../vault-paths.ts";
import { whenLayoutReady } from "../when-layout-ready.ts";
import { IndexWatch } from "./index-watch.ts";
import { NoteChecker } from "./note-checker.ts";
import { OpenEditors } from "./open-editors.ts";
import { REPORT_VIEW, ReportView } from "./report-view.ts";
import { VaultCheck } from "./vault-check.ts";
import { VaultDiagnostics } from "./vault-diagnostics.ts";
import { formatReport } from "./vault-report.ts";
import { VaultTargets } from "./vault-targets.ts";

/** The dependencies of diagnostics. */
export interface DiagnosticsParts {
  readonly app: App;
  readonly plugin: Plugin;
  readonly paths: VaultPaths;
  /** Whether a note, by its path in the vault, is never shared. */
  readonly isExcluded: (vaultPath: string) => boolean;
}

/**
 * Finds problems in the notes of a vault, for agents and for the person. Everything registered is
 * removed when the plugin unloads.
 */
export function createDiagnostics(parts: DiagnosticsParts): VaultDiagnostics {
  const { app, plugin, isExcluded } = parts;
  const { vault, metadataCache } = app;
  const targets = new VaultTargets({ vault, metadataCache, isExcluded });
  const editors = new OpenEditors((path) => open.changed(path));
  const index = new IndexWatch({
    vault,
    metadataCache,
    onChange: (path) => {
      if (path !== undefined) vaultCheck.changed(path);
      open.changed(path);
    },
    onFiles: () => forget(),
  });
  const isBehind = (path: string) => index.isBehind(path);
  const checker = new NoteChecker({ vault, metadataCache, targets, editors, isBehind });
  const open = new VaultDiagnostics({ ...parts, checker, editors, index });
  const vaultCheck = new VaultCheck({ app, checker, editors, index, isExcluded });
  const forget = () => {
    targets.forget();
    vaultCheck.forget();
  };
  whenLayoutReady(plugin, () => index.open(plugin));
  const { workspace } = app;
  plugin.registerEvent(workspace.on("file-open", (file) => file && open.changed(file.path)));
  plugin.registerEditorExtension(editors.extension);
  plugin.register(() => open.close());
  plugin.register(() => index.close());
  registerReport(parts, vaultCheck, forget);
  return open;
}

function registerReport(
  { app, plugin }: DiagnosticsParts,
  vaultCheck: VaultCheck,
  forget: () => void,
): void {
  plugin.registerView(REPORT_VIEW, (leaf) => {
    return new ReportView(leaf, {
      run: (onProgress, signal) => vaultCheck.run({ onProgress, signal }),
      forget,
      reveal: (path, diagnostic, isNewTab) => reveal(app, path, diagnostic, isNewTab),
    });
  });
  addCliHandler(plugin, "idewire:check", texts.report.cli, null, async () => {
    return formatReport(await vaultCheck.run());
  });
  plugin.addCommand({
    id: "check-all-notes",
    name: texts.report.command,
    callback: async () => {
      const leaf = await app.workspace.ensureSideLeaf(REPORT_VIEW, "right", { reveal: true });
      if (leaf.view instanceof ReportView) await leaf.view.start();
    },
  });
}

/** Opens the note and selects the range of the finding. */
async function reveal(
  app: App,
  path: string,
  { range }: Diagnostic,
  isNewTab: boolean,
): Promise<void> {
  const file: TFile | null = app.vault.getFileByPath(path);
  if (file === null) return;
  const leaf = app.workspace.getLeaf(isNewTab ? "tab" : false);
  await leaf.openFile(file, { active: true, eState: { line: range.start.line } });
  showRange(leaf, range);
}

import {
  baseName,
  type EditorHost,
  type FileDiagnostics,
  type Platform,
  type PosixPath,
} from "@idewire/core";
import { type EditorChange, overrideHost, relativeTo } from "@idewire/core/internal";
import { InMemoryEditor } from "@idewire/core/testing";
import { memoryFiles, type WorkspaceFiles } from "../scenario/editor/workspace-files.ts";
import { checkSample } from "./check-sample.ts";

/** The options of a simulated editor. */
export interface SimulatedEditorOptions {
  readonly folder: PosixPath;
  readonly platform: Platform;
  /** Texts by their paths in the folder, as `notes/plan.md`. */
  readonly files: Readonly<Record<string, string>>;
  /** Called for every change of the editor's state, with paths relative to the folder. */
  readonly onchange: (change: EditorChange) => void;
}

/** An editor, its files, and its host as agents see it. */
export interface SimulatedEditor {
  readonly editor: InMemoryEditor;
  readonly files: WorkspaceFiles;
  readonly host: EditorHost;
}

/** The editor of the sample workspace, which checks its files whenever one changes. */
export function createSimulatedEditor(options: SimulatedEditorOptions): SimulatedEditor {
  const { folder, platform, onchange } = options;
  const known = new Map<PosixPath, string>();
  const files = memoryFiles();
  const nameOf = (path: string) => relativeTo(folder, path as PosixPath, platform);
  const check = (path: PosixPath): FileDiagnostics => {
    const names = [...known.keys()].map(nameOf);
    return { path, diagnostics: checkSample(nameOf(path), editor.textOf(path) ?? "", names) };
  };
  const recheck = () => {
    const changed = [...known.keys()]
      .sort()
      .map(check)
      .filter(({ path, diagnostics }) => {
        const before = known.get(path);
        known.set(path, JSON.stringify(diagnostics));
        return before !== known.get(path);
      });
    if (changed.length > 0) editor.updateDiagnostics(changed);
  };
  const editor = new InMemoryEditor({
    name: "idewire playground",
    version: "1.0.0",
    folder: { path: folder, name: baseName(folder) },
    platform,
    files: {
      read: (path) => files.read(nameOf(path)),
      write: (path, text) => files.write(nameOf(path), text),
    },
    languageOf: (path) => (path.endsWith(".ts") ? "typescript" : "markdown"),
    onchange(change) {
      onchange("path" in change ? { ...change, path: nameOf(change.path) } : change);
      if (change.kind !== "text") return;
      const path = change.path as PosixPath;
      if (!known.has(path)) known.set(path, "[]");
      recheck();
    },
  });
  const diagnostics = async (path?: PosixPath) => {
    if (path !== undefined) return [check(path)];
    return [...known.keys()]
      .sort()
      .map(check)
      .filter((file) => file.diagnostics.length > 0);
  };
  for (const [name, text] of Object.entries(options.files)) {
    editor.writeFile(`${folder}/${name}` as PosixPath, text);
  }
  const host = overrideHost(editor, { diagnostics, format: undefined, fileVersion: undefined });
  return { editor, files, host };
}

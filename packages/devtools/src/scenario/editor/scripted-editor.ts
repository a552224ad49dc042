import {
  baseName,
  type Diagnostic,
  type EditorHost,
  isInside,
  type Platform,
  type PosixPath,
} from "@idewire/core";
import { overrideHost, relativeTo } from "@idewire/core/internal";
import { ToolFailure } from "@idewire/core/rpc";
import { InMemoryEditor } from "@idewire/core/testing";
import type { Ability } from "../file/model.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** The options of a {@link ScriptedEditor}. */
export interface ScriptedEditorOptions {
  readonly name: string;
  /** The real path of the workspace. */
  readonly folder: PosixPath;
  readonly platform: Platform;
  readonly files: WorkspaceFiles;
  readonly without: readonly Ability[];
}

/** The diagnostics that a file gets once its text has changed. */
interface Awaited {
  readonly diagnostics: readonly Diagnostic[];
  readonly text: string | undefined;
}

/** An editor over the files of a scenario, whose diagnostics may appear once a file has changed. */
export class ScriptedEditor {
  readonly editor: InMemoryEditor;
  /** The editor as agents see it. */
  readonly host: EditorHost;
  readonly #options: ScriptedEditorOptions;
  readonly #awaited = new Map<PosixPath, Awaited>();

  constructor(options: ScriptedEditorOptions) {
    const { name, folder, platform, files, without } = options;
    this.#options = options;
    this.editor = new InMemoryEditor({
      name,
      version: "1.0.0",
      folder: { path: folder, name: baseName(folder) },
      platform,
      files: {
        read: (path) => this.#savedText(path),
        write: (path, text) => files.write(this.#nameOf(path), text),
      },
    });
    const diagnostics = (path?: PosixPath) => {
      this.lookAtFiles();
      return this.editor.diagnostics(path);
    };
    const lacking = ["format", "fileVersion", ...without].map(
      (member) => [member, undefined] as const,
    );
    this.host = overrideHost(this.editor, { diagnostics, ...Object.fromEntries(lacking) });
  }

  /** Sets the diagnostics of a file: now, or once its text has changed. */
  setDiagnostics(
    path: PosixPath,
    diagnostics: readonly Diagnostic[],
    when: "now" | "written",
  ): void {
    if (when === "now") {
      this.#awaited.delete(path);
      this.editor.updateDiagnostics([{ path, diagnostics }]);
    } else {
      this.#awaited.set(path, { diagnostics, text: this.#savedText(path) });
    }
  }

  /** Sets the diagnostics of the files that have changed. */
  lookAtFiles(): void {
    for (const [path, { diagnostics, text }] of this.#awaited) {
      if (this.#savedText(path) !== text) this.setDiagnostics(path, diagnostics, "now");
    }
  }

  #savedText(path: PosixPath): string | undefined {
    return this.#options.files.read(this.#nameOf(path));
  }

  #nameOf(path: PosixPath): string {
    const { folder, platform } = this.#options;
    if (isInside(folder, path, platform)) return relativeTo(folder, path, platform);
    throw new ToolFailure(`${path} is outside the workspace ${folder}`);
  }
}

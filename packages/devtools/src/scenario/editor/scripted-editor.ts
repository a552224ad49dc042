import {
  baseName,
  type Diagnostic,
  type EditorHost,
  InMemoryEditor,
  isInside,
  overrideHost,
  type Platform,
  type PosixPath,
  relativeTo,
  ToolFailure,
} from "@idewire/core";
import type { Ability } from "../file/model.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** What a {@link ScriptedEditor} is made of. */
export interface ScriptedEditorOptions {
  readonly name: string;
  /** The real path of the workspace. */
  readonly folder: PosixPath;
  readonly platform: Platform;
  readonly files: WorkspaceFiles;
  readonly without: readonly Ability[];
}

/** What is wrong with a file from when its text is another one than it was. */
interface Awaited {
  readonly diagnostics: readonly Diagnostic[];
  readonly text: string | undefined;
}

/** An editor over the files of a scenario; what is wrong with one may come once it is written. */
export class ScriptedEditor {
  readonly editor: InMemoryEditor;
  /** What agents see of it. */
  readonly host: EditorHost;
  readonly #options: ScriptedEditorOptions;
  readonly #awaited = new Map<PosixPath, Awaited>();

  constructor(options: ScriptedEditorOptions) {
    const { name, folder, platform, files, without } = options;
    this.#options = options;
    this.editor = new InMemoryEditor({
      info: { name, version: "1.0.0" },
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
    const lacking = ["format", "fileVersion", ...without].map((member) => [member, undefined]);
    this.host = overrideHost(this.editor, { diagnostics, ...Object.fromEntries(lacking) });
  }

  /** Says what is wrong with a file: now, or once it has another text. */
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

  /** Tells what has come true because a file was written. */
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

import type { PosixPath } from "@idewire/core";
import { type App, MarkdownView, type TAbstractFile } from "obsidian";
import type { VaultPaths } from "../vault-paths.ts";
import type { Registrar } from "./context.ts";

export interface WatchFilesParts {
  readonly app: App;
  readonly registrar: Registrar;
  readonly paths: VaultPaths;
  readonly onchange: (path: PosixPath) => void;
  /** Called at once, and before `onchange` for either path. */
  readonly onrename: (from: PosixPath, to: PosixPath) => void;
}

/** Typing is checked when it pauses, and at the latest when the person accepts. */
const QUIET_MS = 300;

/** Calls `onchange` for notes that change, on disk or in an editor. */
export function watchFiles(parts: WatchFilesParts): void {
  const { app, registrar, paths, onchange, onrename } = parts;
  const timers = new Map<string, number>();
  const touch = (vaultPath: string) => {
    window.clearTimeout(timers.get(vaultPath));
    const emit = () => {
      timers.delete(vaultPath);
      onchange(paths.toAbsolute(vaultPath));
    };
    timers.set(vaultPath, window.setTimeout(emit, QUIET_MS));
  };
  const touchFile = ({ path }: TAbstractFile) => touch(path);
  const { vault, workspace } = app;
  registrar.registerEvent(vault.on("create", touchFile));
  registrar.registerEvent(vault.on("modify", touchFile));
  registrar.registerEvent(vault.on("delete", touchFile));
  registrar.registerEvent(
    vault.on("rename", (file, oldPath) => {
      onrename(paths.toAbsolute(oldPath), paths.toAbsolute(file.path));
      touch(oldPath);
      touch(file.path);
    }),
  );
  registrar.registerEvent(
    workspace.on("editor-change", (_, info) => {
      if (info instanceof MarkdownView || info.file !== null) touch(info.file?.path ?? "");
    }),
  );
  registrar.register(() => {
    for (const timer of timers.values()) window.clearTimeout(timer);
  });
}

import { existsSync } from "node:fs";
import { lstat, mkdir, readlink, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { IdewireError } from "@idewire/core/rpc";
import { codeOf } from "@idewire/node-server/internal";
import { type Environment, homeDirectory } from "@idewire/node-server/internal/files";
import { findPackage } from "../../process/version.ts";

/** An editor with a plugin that is part of this package. */
export interface EditorPlugin {
  /** The folder of the plugin. */
  readonly folder: string;
  /** The lines to add to the editor's configuration for the plugin in a folder. */
  lines(folder: string): readonly string[];
  /** The link by which the editor finds the plugin automatically. */
  installedAt(env: Environment): string;
  /** The lines still to add after the installation. */
  readonly setup: readonly string[];
}

const neovim: EditorPlugin = {
  folder: fileURLToPath(new URL("editors/neovim", findPackage())),
  lines: (folder) => [
    `vim.opt.runtimepath:append(${JSON.stringify(folder)})`,
    'require("idewire").setup()',
  ],
  installedAt(env) {
    const data = env["XDG_DATA_HOME"] || join(homeDirectory(env), ".local", "share");
    return join(data, "nvim", "site", "pack", "idewire", "start", "idewire");
  },
  setup: ['require("idewire").setup()'],
};

const emacs: EditorPlugin = {
  folder: fileURLToPath(new URL("editors/emacs", findPackage())),
  lines: (folder) => emacsLines(JSON.stringify(folder), JSON.stringify(folder)),
  installedAt: (env) => join(userEmacsDirectory(env), "idewire"),
  setup: emacsLines('"idewire"', '(locate-user-emacs-file "idewire")'),
};

/** The lines for a folder, with `use-package` and with `load-path`; Emacs 28 does not include `use-package`. */
function emacsLines(relative: string, folder: string): readonly string[] {
  return [
    "(use-package idewire",
    `  :load-path ${relative}`,
    "  :config (idewire-mode 1))",
    ";; Without use-package:",
    `;; (add-to-list 'load-path ${folder}) (require 'idewire) (idewire-mode 1)`,
  ];
}

/** The directory of Emacs's configuration: ~/.emacs.d, unless only the XDG directory exists. */
function userEmacsDirectory(env: Environment): string {
  const home = homeDirectory(env);
  const usual = join(home, ".emacs.d");
  const xdg = join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "emacs");
  const isUsual = [".emacs.d", ".emacs", ".emacs.el"].some((name) => existsSync(join(home, name)));
  return !isUsual && existsSync(xdg) ? xdg : usual;
}

/** By the name on the command line. */
export const editorPlugins: Readonly<Record<string, EditorPlugin>> = { neovim, emacs };

/**
 * Links the plugin into the directory that its editor searches. The link points into this package, so that both
 * have the same version.
 * @throws IdewireError `file-system` when something else is there
 */
export async function installPlugin(plugin: EditorPlugin, env: Environment): Promise<string> {
  const place = plugin.installedAt(env);
  await removePlugin(plugin, env);
  await mkdir(dirname(place), { recursive: true });
  await symlink(plugin.folder, place, "junction");
  return place;
}

/**
 * Removes the link.
 * @returns whether there was one
 * @throws IdewireError `file-system` when something else is there
 */
export async function removePlugin(plugin: EditorPlugin, env: Environment): Promise<boolean> {
  const place = plugin.installedAt(env);
  const stats = await lstat(place).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (stats === undefined) return false;
  if (!stats.isSymbolicLink()) {
    const message = `${place} is not a link of idewire: remove it yourself, if nothing else needs it`;
    throw new IdewireError("file-system", message, { path: place });
  }
  const target = await readlink(place);
  if (!/[\\/]editors[\\/][a-z]+[\\/]?$/.test(target)) {
    const message = `${place} leads to ${target}, which is not of idewire: remove it yourself, if nothing else needs it`;
    throw new IdewireError("file-system", message, { path: place });
  }
  await rm(place);
  return true;
}

import { Argument, Command } from "commander";
import { describe } from "../../help/manual.ts";
import { explainError } from "../../output/explain-error.ts";
import { complain, createPrinter } from "../../output/print.ts";
import { line } from "../../output/printable.ts";
import { ExitCode, usage } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { type EditorPlugin, editorPlugins, installPlugin, removePlugin } from "./editor-plugins.ts";

interface EditorFlags {
  readonly install?: true;
  readonly uninstall?: true;
}

/** `idewire editor`; `onExit` gets the exit code. */
export function createEditorCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("editor")
    .addArgument(new Argument("<editor>", "which editor").choices(Object.keys(editorPlugins)))
    .option("--install", "link the plugin to where the editor looks for plugins")
    .option("--uninstall", "remove that link");
  describe(command, {
    description: [
      "The plugin comes with this command, so that both are of one version. Prints its folder, and what to add to the configuration of the editor.",
    ],
    exits: [
      [ExitCode.Ok, "it was printed, linked or removed"],
      [ExitCode.Failed, "something else is where the link would be"],
      usage,
    ],
    environment: ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"],
    examples: [
      ["idewire editor neovim", "the folder, and the lines for init.lua"],
      ["idewire editor neovim --install", "for Neovim without a plugin manager"],
      ["idewire editor emacs", "the folder, and the lines for init.el"],
    ],
  });
  return command.action(async (name: string, flags: EditorFlags) => {
    const plugin = editorPlugins[name];
    if (plugin === undefined) return;
    try {
      await run(plugin, flags, io);
      onExit(ExitCode.Ok);
    } catch (error) {
      complain(io, explainError(error));
      onExit(ExitCode.Failed);
    }
  });
}

async function run(
  plugin: EditorPlugin,
  { install, uninstall }: EditorFlags,
  io: CliIo,
): Promise<void> {
  const { print } = createPrinter(io);
  if (uninstall === true) {
    const wasThere = await removePlugin(plugin, io.env);
    print(
      wasThere ? line`removed ${plugin.installedAt(io.env)}` : line`there was nothing to remove`,
    );
    return;
  }
  if (install === true) {
    print(line`linked ${await installPlugin(plugin, io.env)}; add to the configuration:`);
    for (const each of plugin.setup) print(line`${each}`);
    return;
  }
  print(line`${plugin.folder}`);
  for (const each of plugin.lines(plugin.folder)) print(line`${each}`);
}

import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { builtBin, LineProgram } from "../src/line-program.ts";
import {
  openWorkspace,
  startClient,
  type Workspace,
  write,
} from "../src/reference-clients/serve-context.ts";

// `python3 host.py FOLDER`, as in docs/reference/host-protocol.md and the example's README.

const host = fileURLToPath(new URL("../../examples/any-editor/host.py", import.meta.url));

/** A folder for PATH with Python, Node, and programs of the given names that run idewire. */
function pathWith({ fixture }: Workspace, programs: Readonly<Record<string, string>>): string {
  const bin = join(fixture.root, "bin");
  mkdirSync(bin);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  symlinkSync(process.execPath, join(bin, "node"));
  return bin;
}

const idewire = `exec "${process.execPath}" "${builtBin}" "$@"`;

function start(workspace: Workspace, bin: string, ...args: readonly string[]): LineProgram {
  // The interpreter by its full path, since its folder may contain an idewire.
  const env = { ...workspace.env, PATH: `${bin}:/usr/bin:/bin`, PYTHONIOENCODING: "utf-8" };
  return new LineProgram("python3", [host, ...args], { env, cwd: workspace.folder });
}

test.each([
  ["idewire is installed", { idewire }],
  ["npx finds idewire", { npx: `test "$1" = idewire && shift && ${idewire}` }],
])(
  "the Python example runs as documented where %s, with any name of a folder or file",
  async (_, programs) => {
    const workspace = openWorkspace("config-dir", `Mein 'Projekt' ü 🚀 100% $(exit) "q" \\n`);
    const file = write(workspace, "sub dir/ä b 'c' $x 1 2.txt", "one\ntwo\n");
    const editor = start(workspace, pathWith(workspace, programs), workspace.folder);
    await editor.shows("agents can find ");
    const client = await startClient(workspace);
    await client.untilReady();
    await editor.shows("connected: claude-code");
    editor.type("select sub dir/ä b 'c' $x 1 2.txt 1 2");
    await client.until("the selection", () => client.badge === "⧉ 2 lines selected");
    editor.type(`mention ${dirname("sub dir/x")}/ä b 'c' $x 1 2.txt`);
    await client.until("the mention", () => client.promptInput.includes("$x 1 2.txt"));
    const edit = client.edit(file, "half a pair: \ud83d\n");
    await editor.shows("accept or reject?");
    editor.type("reject");
    expect((await edit.result).decision).toBe("rejected");
    for (const mistake of ["select none.txt 1 2", "select", "select sub dir 1 1", "nonsense", ""]) {
      editor.type(mistake);
    }
    await client.exit();
    editor.type("quit");
    expect(await editor.exited, editor.describe()).toBe(0);
    expect(editor.errors).not.toContain("Traceback");
    expect(editor.errors).toContain("none.txt");
  },
);

test("the Python example explains its usage, and a missing command, without a traceback", async () => {
  const workspace = openWorkspace();
  const bin = pathWith(workspace, { npx: "exit 1" });
  const cases: readonly (readonly [args: readonly string[], words: string])[] = [
    [[], "python3 host.py FOLDER"],
    [[`${workspace.folder}/none`], "none is not a folder"],
    [[write(workspace, "a.txt", "")], "a.txt is not a folder"],
    [[workspace.folder, "/nowhere/idewire"], "npm install -g idewire"],
    [[workspace.folder, process.execPath, builtBin, "--nonsense"], ""],
    // Without a network, npx fails to find it and exits.
    [[workspace.folder], ""],
  ];
  for (const [args, words] of cases) {
    const editor = start(workspace, bin, ...args);
    expect(await editor.exited, editor.describe()).not.toBe(0);
    expect(editor.errors).toContain(words);
    expect(editor.errors).not.toContain("Traceback");
    expect(editor.output).not.toContain("agents can find");
  }
});

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fakeServer } from "../src/diagnostics-providers/provider-context.ts";
import type { ServedSession, Workspace } from "../src/reference-clients/serve-context.ts";
import {
  openServedSession,
  openWorkspace,
  startServe,
  write,
} from "../src/reference-clients/serve-context.ts";

// The built command, real language servers, and the reference client of Claude Code.

const SERVERS = fileURLToPath(new URL("../language-servers/node_modules/", import.meta.url));

function server(name: string): string {
  return `'${join(SERVERS, ".bin", name)}' --stdio`;
}

/** A folder with its own compiler, as in a project. */
function openProject(): Workspace {
  const workspace = openWorkspace();
  mkdirSync(join(workspace.folder, "node_modules"));
  symlinkSync(join(SERVERS, "typescript"), join(workspace.folder, "node_modules/typescript"));
  const options = { strict: true, types: [], noEmit: true };
  const config = JSON.stringify({ compilerOptions: options, include: ["*.ts"] });
  writeFileSync(join(workspace.folder, "tsconfig.json"), config);
  return workspace;
}

/** All diagnostics, as the model would receive them on request. */
async function ask({ client }: ServedSession): Promise<string> {
  return JSON.stringify(await client.callAsModel("getDiagnostics", {}).reply);
}

/** The machine may be busy, and servers take long to load their dependencies. */
const TIMEOUT = { timeout: 60_000 };

/** The diagnostics that the model receives after an edit: at once, or with a later request. */
async function edit(
  served: ServedSession,
  path: string,
  text: string,
  expected: string,
): Promise<string> {
  const { newDiagnostics } = await served.client.edit(path, text).result;
  if (newDiagnostics !== undefined) return newDiagnostics;
  await expect.poll(() => ask(served), TIMEOUT).toContain(expected);
  return (await served.client.prompt("go on")).newDiagnostics ?? "";
}

/** Expects no process of the folder to be left. */
async function end({ serve, workspace, client }: ServedSession): Promise<void> {
  expect(client.violations).toEqual([]);
  serve.type({ do: "stop" });
  expect((await serve.exited).code).toBe(0);
  expect(serve.strayLines).toEqual([]);
  const processes = () => execFileSync("ps", ["-eo", "pgid,args"], { encoding: "utf8" });
  await expect.poll(processes).not.toContain(workspace.folder);
}

test("Claude's model receives the problems that a language server reports about its edit, and none once fixed", async () => {
  const flags = ["--lsp", server("typescript-language-server")];
  const served = await openServedSession({ flags }, openProject());
  const path = join(served.workspace.folder, "größe ü.ts");
  writeFileSync(path, "export const size: number = '';\n");
  await served.serve.do({ do: "open", path });
  await expect.poll(() => ask(served), TIMEOUT).toContain("2322");
  writeFileSync(path, "export const size: number = 1;\n");
  await expect.poll(() => ask(served), TIMEOUT).not.toContain("2322");

  await served.serve.do({ do: "diff", answer: "accept" });
  const wrong = "// é\nexport const size: number = 'much';\n";
  expect(await edit(served, path, wrong, "2322")).toContain(
    "größe ü.ts:\n  ✘ [Line 2:14] Type 'string' is not assignable to type 'number'. [2322] (typescript)",
  );
  const mended = await served.client.edit(path, "export const size: number = 2;\n").result;
  expect(mended.newDiagnostics).toBeUndefined();
  await expect.poll(() => ask(served), TIMEOUT).not.toContain("2322");
  await end(served);
}, 400_000);

test("Claude's model receives the problems of the first edit after the start", async () => {
  const workspace = openProject();
  const wrong = "export const size: number = 'much';\n";
  write(workspace, "a sample.ts", wrong);
  const paths = [1, 2, 3, 4, 5].map((count) =>
    write(workspace, `edited${count}.ts`, "export {};\n"),
  );
  const served = await openServedSession(
    { flags: ["--lsp", server("typescript-language-server")] },
    workspace,
  );
  let edit = served.client.edit(paths[0] ?? "", wrong);
  // While the person reads the proposal, the request for another file warms the server up.
  await expect.poll(() => ask(served), TIMEOUT).toMatch(/sample\.ts.*2322/);
  await served.serve.do({ do: "diff", answer: "accept" });
  // A busy machine may be late for one file: retries, each time with the first edit of a file.
  for (const path of paths.slice(1)) {
    if ((await edit.result).newDiagnostics !== undefined) break;
    edit = served.client.edit(path, wrong);
  }
  expect((await edit.result).newDiagnostics).toContain("[2322] (typescript)");
  await end(served);
}, 400_000);

test("Claude's model receives late findings of a cold server with its next request", async () => {
  const workspace = openWorkspace();
  const loaded = join(workspace.fixture.root, "loaded");
  const path = write(workspace, "a.ts", "fine\n");
  const served = await openServedSession(
    { flags: ["--lsp", fakeServer({ heldBy: loaded })] },
    workspace,
  );
  await served.serve.do({ do: "diff", answer: "accept" });
  expect((await served.client.edit(path, "bad\n").result).newDiagnostics).toBeUndefined();
  writeFileSync(loaded, "");
  await expect.poll(() => ask(served), TIMEOUT).toContain("a bad word");
  expect((await served.client.prompt("go on")).newDiagnostics).toContain("a bad word");
  await end(served);
}, 400_000);

test("a second server, a linter with its own matcher and a missing server coexist", async () => {
  const workspace = openWorkspace();
  const matcher = {
    source: "spell",
    pattern: { regexp: "^(\\S+)#(\\d+) (.*)$", file: 1, line: 2, message: 3 },
  };
  writeFileSync(join(workspace.fixture.root, "spell.json"), JSON.stringify(matcher));
  const spell = `grep -n teh notes.txt | sed 's/^\\([0-9]*\\):.*/notes.txt#\\1 typo/'`;
  const served = await openServedSession(
    {
      flags: [
        ...["--lsp", server("yaml-language-server"), "--lsp", "no-such-server --stdio"],
        ...["--lint", spell, "--matcher", "../spell.json"],
      ],
    },
    workspace,
  );
  const notes = join(workspace.folder, "notes.txt");
  const list = join(workspace.folder, "list.yaml");
  writeFileSync(notes, "the\n");
  writeFileSync(list, "a: 1\n");
  for (const path of [notes, list]) await served.serve.do({ do: "open", path });
  writeFileSync(notes, "the\nteh\n");
  writeFileSync(list, "a: [1\n");
  await expect.poll(() => ask(served), TIMEOUT).toMatch(/YAML.*typo.*spell/);
  writeFileSync(notes, "the\n");
  writeFileSync(list, "a: 1\n");
  await expect.poll(() => ask(served), TIMEOUT).not.toMatch(/YAML|typo/);
  const missing =
    'warning: the language server "no-such-server --stdio" cannot be run (exit code 127)';
  await expect.poll(() => served.serve.output.split(missing), TIMEOUT).toHaveLength(2);
  await end(served);
}, 400_000);

test("a server configured with a schema reports where a file violates it", async () => {
  const workspace = openWorkspace();
  const schema = { type: "object", properties: { name: { type: "string" } } };
  writeFileSync(join(workspace.folder, "app.schema.json"), JSON.stringify(schema));
  const settings =
    '{\n  // where our schema is\n  "yaml.schemas": {"./app.schema.json": "app.yaml"},\n}';
  writeFileSync(join(workspace.fixture.root, "settings.json"), settings);
  const yaml = ["--lsp", server("yaml-language-server"), "--lsp-settings", "../settings.json"];
  const served = await openServedSession({ flags: yaml }, workspace);
  const path = join(workspace.folder, "app.yaml");
  writeFileSync(path, "name: 5\n");
  await served.serve.do({ do: "open", path });
  await expect.poll(() => ask(served), TIMEOUT).toContain("Incorrect type");
  writeFileSync(path, "name: five\n");
  await expect.poll(() => ask(served), TIMEOUT).not.toContain("Incorrect type");
  await end(served);
});

test("an invalid matcher or settings, or one without a program, is a wrong command line", async () => {
  for (const [flags, words] of [
    [["--matcher", "tsc"], "Expected a --lint before it"],
    [["--lint", "make", "--matcher", "nope"], "nor a readable file (ENOENT)"],
    [["--lint", " "], "Expected a command line"],
    [["--lsp-settings", "{}"], "Expected an --lsp before it"],
    [["--lsp", "x", "--lsp-settings", "nope"], "nor a readable file (ENOENT)"],
    [["--lsp", "x", "--lsp-settings", '{"a" 1}'], "--lsp-settings: line 1: A colon is missing"],
    [["--lsp", "x", "--lsp-init-options", "{}", "--lsp-init-options", "{}"], "it has one"],
  ] as const) {
    const serve = startServe(openWorkspace(), { flags });
    expect((await serve.exited).code).toBe(2);
    expect(serve.output).toContain(words);
  }
});

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fakeServer } from "../src/diagnostics-providers/provider-context.ts";
import type { Day, Place } from "../src/reference-clients/serve-context.ts";
import { openDay, openPlace, startServe, write } from "../src/reference-clients/serve-context.ts";

// The built command, real language servers, and the twin of Claude Code.

const SERVERS = fileURLToPath(new URL("../language-servers/node_modules/", import.meta.url));

function server(name: string): string {
  return `'${join(SERVERS, ".bin", name)}' --stdio`;
}

/** A folder with a compiler of its own, as a project has. */
function openProject(): Place {
  const place = openPlace();
  mkdirSync(join(place.folder, "node_modules"));
  symlinkSync(join(SERVERS, "typescript"), join(place.folder, "node_modules/typescript"));
  const options = { strict: true, types: [], noEmit: true };
  const config = JSON.stringify({ compilerOptions: options, include: ["*.ts"] });
  writeFileSync(join(place.folder, "tsconfig.json"), config);
  return place;
}

/** All that is wrong, as the model would be told if it asked. */
async function ask({ client }: Day): Promise<string> {
  return JSON.stringify(await client.callAsModel("getDiagnostics", {}).reply);
}

/** The machine may be busy, and a server takes its time to load what it needs. */
const PATIENCE = { timeout: 60_000 };

/** What the model is told of an edit: at once, or with a later request. */
async function edit(day: Day, path: string, text: string, expected: string): Promise<string> {
  const { newDiagnostics } = await day.client.edit(path, text).result;
  if (newDiagnostics !== undefined) return newDiagnostics;
  await expect.poll(() => ask(day), PATIENCE).toContain(expected);
  return (await day.client.prompt("go on")).newDiagnostics ?? "";
}

/** Nothing that was started in the folder, or for it, is left. */
async function end({ serve, place, client }: Day): Promise<void> {
  expect(client.violations).toEqual([]);
  serve.type({ do: "stop" });
  expect((await serve.exited).code).toBe(0);
  expect(serve.strayLines).toEqual([]);
  const processes = () => execFileSync("ps", ["-eo", "pgid,args"], { encoding: "utf8" });
  await expect.poll(processes).not.toContain(place.folder);
}

test("Claude's model is told what a language server says of its edit, and no more once it is mended", async () => {
  const flags = ["--lsp", server("typescript-language-server")];
  const day = await openDay({ flags }, openProject());
  const path = join(day.place.folder, "größe ü.ts");
  writeFileSync(path, "export const size: number = '';\n");
  await day.serve.do({ do: "open", filePath: path });
  await expect.poll(() => ask(day), PATIENCE).toContain("2322");
  writeFileSync(path, "export const size: number = 1;\n");
  await expect.poll(() => ask(day), PATIENCE).not.toContain("2322");

  await day.serve.do({ do: "diff", answer: "accept" });
  const wrong = "// é\nexport const size: number = 'much';\n";
  expect(await edit(day, path, wrong, "2322")).toContain(
    "größe ü.ts:\n  ✘ [Line 2:14] Type 'string' is not assignable to type 'number'. [2322] (typescript)",
  );
  const mended = await day.client.edit(path, "export const size: number = 2;\n").result;
  expect(mended.newDiagnostics).toBeUndefined();
  await expect.poll(() => ask(day), PATIENCE).not.toContain("2322");
  await end(day);
}, 400_000);

test("Claude's model is told what is wrong with the first edit after the start", async () => {
  const place = openProject();
  const wrong = "export const size: number = 'much';\n";
  write(place, "a sample.ts", wrong);
  const paths = [1, 2, 3, 4, 5].map((count) => write(place, `edited${count}.ts`, "export {};\n"));
  const day = await openDay({ flags: ["--lsp", server("typescript-language-server")] }, place);
  let edit = day.client.edit(paths[0] ?? "", wrong);
  // While the person reads the proposal the server gets ready by a file that nobody asked about.
  await expect.poll(() => ask(day), PATIENCE).toMatch(/sample\.ts.*2322/);
  await day.serve.do({ do: "diff", answer: "accept" });
  // A busy machine may be late for one: each is the first edit of its file.
  for (const path of paths.slice(1)) {
    if ((await edit.result).newDiagnostics !== undefined) break;
    edit = day.client.edit(path, wrong);
  }
  expect((await edit.result).newDiagnostics).toContain("[2322] (typescript)");
  await end(day);
}, 400_000);

test("Claude's model is told with its next request what a cold server finds late", async () => {
  const place = openPlace();
  const loaded = join(place.fixture.root, "loaded");
  const path = write(place, "a.ts", "fine\n");
  const day = await openDay({ flags: ["--lsp", fakeServer({ heldBy: loaded })] }, place);
  await day.serve.do({ do: "diff", answer: "accept" });
  expect((await day.client.edit(path, "bad\n").result).newDiagnostics).toBeUndefined();
  writeFileSync(loaded, "");
  await expect.poll(() => ask(day), PATIENCE).toContain("a bad word");
  expect((await day.client.prompt("go on")).newDiagnostics).toContain("a bad word");
  await end(day);
}, 400_000);

test("a second server, a linter with a matcher of its own and a server that is missing stand side by side", async () => {
  const place = openPlace();
  const matcher = {
    source: "spell",
    pattern: { regexp: "^(\\S+)#(\\d+) (.*)$", file: 1, line: 2, message: 3 },
  };
  writeFileSync(join(place.fixture.root, "spell.json"), JSON.stringify(matcher));
  const spell = `grep -n teh notes.txt | sed 's/^\\([0-9]*\\):.*/notes.txt#\\1 typo/'`;
  const day = await openDay(
    {
      flags: [
        ...["--lsp", server("yaml-language-server"), "--lsp", "no-such-server --stdio"],
        ...["--lint", spell, "--matcher", "../spell.json"],
      ],
    },
    place,
  );
  const notes = join(place.folder, "notes.txt");
  const list = join(place.folder, "list.yaml");
  writeFileSync(notes, "the\n");
  writeFileSync(list, "a: 1\n");
  for (const path of [notes, list]) await day.serve.do({ do: "open", filePath: path });
  writeFileSync(notes, "the\nteh\n");
  writeFileSync(list, "a: [1\n");
  await expect.poll(() => ask(day), PATIENCE).toMatch(/YAML.*typo.*spell/);
  writeFileSync(notes, "the\n");
  writeFileSync(list, "a: 1\n");
  await expect.poll(() => ask(day), PATIENCE).not.toMatch(/YAML|typo/);
  const missing =
    'warning: the language server "no-such-server --stdio" cannot be run (exit code 127)';
  await expect.poll(() => day.serve.output.split(missing), PATIENCE).toHaveLength(2);
  await end(day);
}, 400_000);

test("a server that is set to a schema says where a file keeps to it not", async () => {
  const place = openPlace();
  const schema = { type: "object", properties: { name: { type: "string" } } };
  writeFileSync(join(place.folder, "app.schema.json"), JSON.stringify(schema));
  const settings =
    '{\n  // where our schema is\n  "yaml.schemas": {"./app.schema.json": "app.yaml"},\n}';
  writeFileSync(join(place.fixture.root, "settings.json"), settings);
  const yaml = ["--lsp", server("yaml-language-server"), "--lsp-settings", "../settings.json"];
  const day = await openDay({ flags: yaml }, place);
  const path = join(place.folder, "app.yaml");
  writeFileSync(path, "name: 5\n");
  await day.serve.do({ do: "open", filePath: path });
  await expect.poll(() => ask(day), PATIENCE).toContain("Incorrect type");
  writeFileSync(path, "name: five\n");
  await expect.poll(() => ask(day), PATIENCE).not.toContain("Incorrect type");
  await end(day);
}, 90_000);

test("a matcher or settings that are none, or belong to no program, are a wrong command line", async () => {
  for (const [flags, words] of [
    [["--matcher", "tsc"], "Expected a --lint before it"],
    [["--lint", "make", "--matcher", "nope"], "nor a file that can be read (ENOENT)"],
    [["--lint", " "], "Expected a command line"],
    [["--lsp-settings", "{}"], "Expected an --lsp before it"],
    [["--lsp", "x", "--lsp-settings", "nope"], "nor a file that can be read (ENOENT)"],
    [["--lsp", "x", "--lsp-settings", '{"a" 1}'], "--lsp-settings: line 1: A colon is missing"],
    [["--lsp", "x", "--lsp-init-options", "{}", "--lsp-init-options", "{}"], "it has one"],
  ] as const) {
    const serve = startServe(openPlace(), { flags });
    expect((await serve.exited).code).toBe(2);
    expect(serve.output).toContain(words);
  }
});

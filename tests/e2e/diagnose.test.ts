import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { quiet, sh, untilControlled } from "../src/control-context.ts";
import { openServedSession } from "../src/reference-clients/serve-context.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const bin = join(root, "node_modules", ".bin");
const eslint = join(root, "packages", "obsidian-plugin", "node_modules", ".bin", "eslint");
const withoutConfig = `"${eslint}" --no-config-lookup --rule '{"no-debugger":"error","no-var":"warn"}'`;

const TS = 'let a = 1;\nexport const b: number = "a";\n';
const JS = "var a = 1;\n\ndebugger;\n";
const C = "int main() {\n  return x;\n}\n";

/** Real tools in a pipe, the file with faults, and the resulting diagnostics. */
const tools: Readonly<
  Record<string, readonly [line: string, file: string, received: readonly string[]]>
> = {
  tsc: [`"${bin}/tsc" --noEmit a.ts`, "a.ts", ["1:13 error TS2322 Type 'string' is not"]],
  "tsc with colours": [
    `"${bin}/tsc" --noEmit --pretty a.ts`,
    "a.ts",
    ["1:13 error TS2322 Type 'string' is not"],
  ],
  eslint: [
    `${withoutConfig} a.js`,
    "a.js",
    ["0:0 warning no-var Unexpected var", "2:0 error no-debugger Unexpected 'debugger'"],
  ],
  "eslint with colours": [
    `${withoutConfig} --color a.js`,
    "a.js",
    ["0:0 warning no-var Unexpected var", "2:0 error no-debugger Unexpected 'debugger'"],
  ],
  biome: [
    `"${bin}/biome" lint --config-path=biome.json a.js`,
    "a.js",
    ["2:0 error lint/suspicious/noDebugger This is an unexpected use of the debugger"],
  ],
  "biome with colours": [
    `"${bin}/biome" lint --colors=force --config-path=biome.json a.js`,
    "a.js",
    ["2:0 error lint/suspicious/noDebugger This is an unexpected use of the debugger"],
  ],
  gcc: ["gcc -c a.c -o a.o", "a.c", ["1:9 error - ‘x’ undeclared"]],
  "gcc with colours": [
    "gcc -fdiagnostics-color=always -c a.c -o a.o",
    "a.c",
    ["1:9 error - ‘x’ undeclared"],
  ],
};

const rules = { linter: { rules: { recommended: false, suspicious: { noDebugger: "error" } } } };

async function openFolder() {
  const { workspace, client } = await openServedSession();
  await untilControlled(workspace);
  for (const [name, text] of Object.entries({ "a.ts": TS, "a.js": JS, "a.c": C })) {
    writeFileSync(join(workspace.folder, name), text);
  }
  writeFileSync(join(workspace.folder, "biome.json"), JSON.stringify(rules));
  const received = async (file: string): Promise<readonly string[]> => {
    const { result } = (await client.callAsModel("getDiagnostics", {}).reply) as {
      readonly result?: { readonly content: readonly { readonly text: string }[] };
    };
    const files = JSON.parse(result?.content[0]?.text ?? "[]") as readonly Received[];
    return files
      .filter(({ uri }) => uri.endsWith(`/${file}`))
      .flatMap(({ diagnostics }) => diagnostics.map(describeReceived));
  };
  return { workspace, received };
}

interface Received {
  readonly uri: string;
  readonly diagnostics: readonly {
    readonly range: { readonly start: { readonly line: number; readonly character: number } };
    readonly severity: string;
    readonly code?: string;
    readonly message: string;
  }[];
}

function describeReceived({
  range: { start },
  severity,
  code,
  message,
}: Received["diagnostics"][number]) {
  const words = `${severity.toLowerCase()} ${code ?? "-"} ${message}`;
  return `${start.line}:${start.character} ${words}`;
}

describe("diagnose reads the output of tools from a pipe", () => {
  const hasGcc = spawnSync("gcc", ["--version"]).status === 0;
  if (!hasGcc) console.info("not tried: gcc, which this machine has not");

  for (const [name, [line, file, expected]] of Object.entries(tools)) {
    test.skipIf(name.startsWith("gcc") && !hasGcc)(name, async () => {
      const { workspace, received } = await openFolder();
      const ran = await sh(workspace, `LC_ALL=C.UTF-8 ${line} 2>&1 | idewire diagnose`);
      expect(ran).toEqual(quiet);
      const found = await received(file);
      for (const [at, words] of expected.entries()) expect(found[at]).toContain(words);
    });
  }
});

describe("diagnose without recognised output", () => {
  test("reports that, shows the input, and leaves the known problems unchanged", async () => {
    const { workspace, received } = await openFolder();
    expect(await sh(workspace, "echo 'a.ts:1:1: error: known' | idewire diagnose")).toEqual(quiet);
    const known = await received("a.ts");
    expect(known).toHaveLength(1);
    const inputs = {
      "printf 'all fine here\\nreally\\n'":
        /which begins with "all fine here".*tsc, .*eslint-stylish/,
      "printf '{\"problems\": []}'": /which begins with "\{\\"problems/,
      true: /stdin was empty; nothing was changed\. .*--allow-empty/,
      "head -c 3000000 /dev/zero | tr '\\0' 'x'": /which begins with "x{200}"/,
      "echo '../b.ts:1:1: error: elsewhere'": /none of the problems is in .*nothing was changed/,
    };
    for (const [line, words] of Object.entries(inputs)) {
      const { code, output } = await sh(workspace, `${line} | idewire diagnose`);
      expect([code, output.trimEnd().split("\n").length], line).toEqual([1, 1]);
      expect(output).toMatch(words);
      expect(await received("a.ts"), line).toEqual(known);
    }
  });

  test("clears the known problems on request", async () => {
    const { workspace, received } = await openFolder();
    const emit = () => sh(workspace, "echo 'a.ts:1:1: error: known' | idewire diagnose");
    for (const line of [
      "true | idewire diagnose --allow-empty",
      "echo 'make: nothing to be done' | idewire diagnose --allow-empty",
      "idewire diagnose --clear",
    ]) {
      expect(await emit()).toEqual(quiet);
      expect(await received("a.ts")).toHaveLength(1);
      expect(await sh(workspace, line)).toEqual(quiet);
      expect(await received("a.ts")).toEqual([]);
    }
  });

  test("takes the format from --matcher, by a name or a file", async () => {
    const { workspace, received } = await openFolder();
    const pattern = { regexp: "^!! (.*) @ (\\d+): (.*)$", file: 1, line: 2, message: 3 };
    writeFileSync(join(workspace.folder, "own.json"), JSON.stringify({ pattern }));
    expect(
      await sh(workspace, "echo '!! a.ts @ 2: odd' | idewire diagnose --matcher own.json"),
    ).toEqual(quiet);
    expect(await received("a.ts")).toEqual(["1:0 error - odd"]);
    const wrong = await sh(workspace, "echo 'a.ts:1:1: error: x' | idewire diagnose --matcher tsc");
    expect(wrong.code).toBe(1);
    expect(await received("a.ts")).toEqual(["1:0 error - odd"]);
  });
});

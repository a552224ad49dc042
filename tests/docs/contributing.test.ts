import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { removeFolder } from "../src/remove-folder.ts";

const root = new URL("../../", import.meta.url);
const folder = fileURLToPath(new URL("./.extracted/", import.meta.url));

const blocks = [
  "CONTRIBUTING.md",
  "packages/core/README.md",
  "packages/devtools/README.md",
  "packages/http/README.md",
  "packages/node-server/README.md",
].flatMap((page) => {
  const text = readFileSync(new URL(page, root), "utf8");
  return [...text.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)].map(
    ([, name = "", code = ""]) => ({ page, name, code }),
  );
});

rmSync(folder, { recursive: true, force: true });
afterAll(() => removeFolder(folder));
mkdirSync(folder, { recursive: true });
for (const { name, code } of blocks) writeFileSync(join(folder, name), code);
writeFileSync(
  join(folder, "tsconfig.json"),
  JSON.stringify({
    extends: "../../tsconfig.json",
    // A newcomer's code need not declare the types of all exports.
    compilerOptions: { declaration: false, isolatedDeclarations: false },
    include: ["*.ts"],
    exclude: [],
  }),
);

// The blocks that are tests register themselves as if they were in this file.
for (const { name } of blocks) {
  if (name.endsWith(".test.ts")) await import(join(folder, name));
}

test("CONTRIBUTING.md shows a tool, a transport and a host, each with its test", () => {
  expect(namesIn("CONTRIBUTING.md")).toEqual([
    "word-count.ts",
    "word-count.test.ts",
    "line-transport.ts",
    "line-transport.test.ts",
    "one-buffer-host.ts",
    "one-buffer-host.test.ts",
  ]);
});

test("core's README shows a server, a question, a task, a client and a peer, and calls each", () => {
  expect(namesIn("packages/core/README.md")).toEqual([
    "weather.ts",
    "release.ts",
    "build-site.ts",
    "weather.test.ts",
    "weather-client.ts",
    "add.test.ts",
  ]);
});

test("devtools' README shows a scenario and a trace as tests", () => {
  expect(namesIn("packages/devtools/README.md")).toEqual(["agent.test.ts", "record.test.ts"]);
});

test("http's README shows a client, and calls a server with it", () => {
  expect(namesIn("packages/http/README.md")).toEqual([
    "http-client.ts",
    "http-client.test.ts",
    "oauth-client.ts",
    "oauth-choices.ts",
  ]);
});

test("node-server's README shows a server on stdio and over HTTP, and an editor", () => {
  expect(namesIn("packages/node-server/README.md")).toEqual([
    "greeter.ts",
    "over-stdio.ts",
    "spawn-greeter.ts",
    "over-http.ts",
    "my-host.ts",
    "memory-editor.ts",
  ]);
});

test("the code of these pages compiles under the repository's flags", () => {
  const require = createRequire(import.meta.url);
  const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
  const { stdout, status } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  expect([stdout, status]).toEqual(["", 0]);
});

function namesIn(page: string): readonly string[] {
  return blocks.filter((block) => block.page === page).map(({ name }) => name);
}

import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../src/temporary-folder.ts";

const bin = fileURLToPath(new URL("../../packages/cli/bin/idewire.js", import.meta.url));

/** The packages whose modules a command has loaded, by Node's coverage. */
async function packagesOf(...args: readonly string[]): Promise<readonly string[]> {
  const coverage = temporaryFolder("idewire-coverage-");
  const home = temporaryFolder("idewire-home-");
  const env = { HOME: home, NODE_V8_COVERAGE: coverage };
  await new Promise((resolve) => {
    const child = execFile(process.execPath, [bin, ...args], { cwd: home, env }, resolve);
    // A command that serves runs until a signal.
    if (args.includes("serve")) child.stdout?.once("data", () => child.kill("SIGINT"));
  });
  const urls = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(`${coverage}/${name}`, "utf8"));
    return (result as readonly { readonly url: string }[]).map(({ url }) => url);
  });
  const names = urls
    .filter((url) => url.startsWith("file:"))
    .map((url) =>
      /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!node_modules)[^@]*$|\/packages\/([^/]+)\//.exec(
        url,
      ),
    )
    .map((match) => match?.[1] ?? match?.[2] ?? "");
  return [...new Set(names)].sort();
}

test.each([[["--version"]], [["select", "plan.md:1"]], [["mention", "plan.md"]]])(
  "%j loads neither sockets nor modules of other commands",
  async (args) => {
    const loaded = await packagesOf(...args);
    expect(loaded).toEqual(expect.arrayContaining(["cli", "commander", "core"]));
    const others = [
      "ws",
      "valibot",
      "string-width",
      "diff",
      "yaml",
      "picomatch",
      "jsonc-parser",
      "smol-toml",
    ];
    const siblings = ["devtools", "http", "paired-comments"];
    expect(loaded.filter((name) => [...others, ...siblings].includes(name))).toEqual([]);
  },
);

test("serve loads neither traces nor OAuth without a page or a recording, nor a parser without a file", async () => {
  const loaded = await packagesOf("serve", "--json");
  expect(loaded).toEqual(expect.arrayContaining(["cli", "core", "node-server", "ws"]));
  const rare = ["@lezer/markdown", "lossless-json", "oauth4webapi"];
  const others = ["devtools", "paired-comments", ...rare];
  expect(loaded.filter((name) => others.includes(name))).toEqual([]);
});

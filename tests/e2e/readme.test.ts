import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { root } from "../packaging/packages.ts";
import { ClaudeClient } from "../src/reference-clients/claude-client.ts";
import { TIMEOUT_MS } from "../src/reference-clients/transcript.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

/** Without caches, installing and building everything takes a minute or two. */
const INSTALL_MS = 540_000;

/** The blocks of the first steps, each as its lines; the first of them is in the README, too. */
function firstSteps(): readonly (readonly string[])[] {
  const page = readFileSync(join(root, "docs/start/README.md"), "utf8");
  const [, steps = ""] = /## Try it\n([\s\S]*?)\n## Your own folder/.exec(page) ?? [];
  const blocks = [...steps.matchAll(/```\w+\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  expect(readFileSync(join(root, "README.md"), "utf8")).toContain(blocks[0]);
  return blocks.map((block) => block.trim().split("\n"));
}

// Process groups exist only on POSIX.
test.skipIf(process.platform === "win32")(
  "following the first steps in a fresh clone with an empty home leads to a reviewed diff",
  async () => {
    const [clone, agent, typed] = firstSteps();
    expect(clone).toEqual(["git clone <this repository> idewire && cd idewire", "npm start"]);
    expect(agent?.map((line) => line.replace(/ *#.*/, ""))).toEqual([
      "cd examples/vault",
      "claude --ide --permission-mode default",
    ]);
    const place = temporaryFolder("idewire-readme-");
    execFileSync("git", ["clone", "-q", root, join(place, "idewire")]);
    const home = join(place, "home");
    mkdirSync(home);
    const ours = process.env["HOME"] ?? home;
    const npm = spawn("npm", ["start"], {
      cwd: join(place, "idewire"),
      // Reuses what was downloaded and built for these tests.
      env: {
        ...process.env,
        ...{ HOME: home, CI: "1", TURBO_CACHE_DIR: join(root, ".turbo/cache") },
        npm_config_cache: join(ours, ".npm"),
        XDG_DATA_HOME: process.env["XDG_DATA_HOME"] ?? join(ours, ".local/share"),
      },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.on("data", (chunk) => {
        output += String(chunk);
      });
    }
    const ended = once(npm, "close");
    onTestFinished(async () => {
      npm.stdin.end();
      npm.kill("SIGTERM");
      await ended;
    });
    const shows = (words: string | RegExp, timeout = TIMEOUT_MS) =>
      vi
        .waitUntil(() => output.search(words) >= 0, { timeout })
        .catch(() => {
          throw new Error(`${String(words)} is not shown:\n${output}`);
        });
    await shows("is the editor of", INSTALL_MS);
    const cwd = join(place, "idewire/examples/vault");
    const claude = await ClaudeClient.start({ env: { HOME: home }, cwd, lenient: true });
    onTestFinished(() => claude.exit());
    await claude.untilReady();
    await shows(/claude-code.* connect|Claude Code/i);

    const [select = "", mention = ""] = (typed ?? []).map((line) => line.split(/ {2,}/)[0] ?? "");
    npm.stdin.write(`${select}\n`);
    await claude.until("the selection", () => claude.badge === "⧉ 5 lines selected");
    const { context } = await claude.prompt("what is wrong here?");
    expect(context).toContain("| bed   | plant");
    expect(context).toContain("| west  | beetroot");
    npm.stdin.write(`${mention}\n`);
    await claude.until("the mention", () => claude.promptInput.includes("@garden/beds.md"));

    const file = join(cwd, "garden/beds.md");
    const text = readFileSync(file, "utf8").replace("| -9 ", "| 9  ");
    const edit = claude.edit(file, text);
    await shows("reject?");
    npm.stdin.write("accept\n");
    expect((await edit.result).decision).toBe("accepted");
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(claude.violations).toEqual([]);
  },
  INSTALL_MS + 60_000,
);

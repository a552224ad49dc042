import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findHidden } from "@idewire/core/internal";
import { describe, expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import type { Fixture } from "../src/reference-clients/fixture.ts";
import { joinAs, propose } from "../src/terminal-context.ts";

/** A title, a colour, a C1 control, reversed and hidden text, a line separator, DEL: all may be in a name. */
const HOSTILE = "x\x1b]0;y\x07\x1b[8m\x9b31m\u202e\u200b\u3164\u2028\x7f\r";

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const OUR_COLOURS = /\x1b\[(?:1|2|7|22|27|3[1-3]|39)m/g;

/** The parts of a run's output that a terminal would interpret or hide. */
function interpreted({ output, errors }: CliRun): readonly string[] {
  const text = `${output}${errors}`.replace(OUR_COLOURS, "");
  return [...findHidden(text)].map(({ start }) =>
    JSON.stringify(text.slice(start - 20, start + 9)),
  );
}

const start = (fixture: Fixture, ...args: readonly string[]) =>
  new CliRun(fixture, { args, env: { FORCE_COLOR: "1", PATH: process.env["PATH"] ?? "" } });

/** A fixture with a folder, files and lock files whose names and fields are hostile. */
function openHostile() {
  const fixture = openFixture();
  const folder = join(fixture.workspace, HOSTILE);
  mkdirSync(folder);
  fixture.file(`${HOSTILE}/${HOSTILE}.json`, `{"${HOSTILE}": }`);
  const lock = { pid: process.pid, ideName: HOSTILE, transport: "ws", authToken: "t".repeat(40) };
  fixture.lock(1, { ...lock, workspaceFolders: [folder, HOSTILE] });
  fixture.lock(`${HOSTILE}.lock`, HOSTILE);
  return { fixture, folder, file: join(folder, `${HOSTILE}.json`) };
}

describe("only text, line ends and our colours reach the terminal", () => {
  test.each([
    [[HOSTILE]],
    [[`--${HOSTILE}`]],
    [["serve", HOSTILE, HOSTILE]],
    [["serve", `missing${HOSTILE}`]],
    [["serve", `missing${HOSTILE}`, "--json"]],
    [["serve", "--port", HOSTILE]],
    [["serve", "--share", HOSTILE]],
    [["serve", "--name", HOSTILE]],
    [["serve", "--host", HOSTILE]],
    [["serve", "--path-map", HOSTILE]],
    [["serve", "--lsp", `${HOSTILE}=${HOSTILE}`, "--lsp-settings", HOSTILE]],
    [["serve", "--lint", "true", "--matcher", HOSTILE]],
    [["host", "--stdio", `--${HOSTILE}`]],
    [["open", HOSTILE]],
    [["select", `${HOSTILE}:1`]],
    [["select", HOSTILE]],
    [["mention", HOSTILE]],
    [["mention", HOSTILE, "--cwd", HOSTILE]],
    [["clear", "--cwd", HOSTILE]],
    [["list", "--cwd", HOSTILE]],
    [["list", "--cwd", HOSTILE, "--json"]],
    [["doctor", "--cwd", HOSTILE]],
    [["doctor", "--cwd", HOSTILE, "--json"]],
    [["call", HOSTILE, "--cwd", HOSTILE]],
    [["call", "openDiff", HOSTILE]],
    [["call", "openDiff", `{"${HOSTILE}`]],
    [["tail", "--cwd", HOSTILE]],
    [["inspect", HOSTILE, "--lock", HOSTILE]],
    [["check", "--cwd", HOSTILE]],
    [["check", "--lock", HOSTILE]],
    [["vault-tools", "--cwd", HOSTILE]],
    [["mcp", HOSTILE]],
    [["mcp", "tools", HOSTILE]],
    [["comments", HOSTILE]],
    [["simulate", HOSTILE]],
    [["simulate", `${HOSTILE}/${HOSTILE}.json`]],
    [["completion", HOSTILE]],
    [["help", HOSTILE]],
    [["help"]],
  ])("of a command line, without an agent", async (args) => {
    const { fixture } = openHostile();
    const run = start(fixture, ...args);
    await run.exited;
    expect(`${run.output}${run.errors}`).not.toBe("");
    expect(interpreted(run)).toEqual([]);
  });

  test.each([[[]], [["--json"]], [["--script"]]])(
    "of serve %j, whatever agents say",
    async (flags) => {
      const { fixture, folder, file } = openHostile();
      const run = start(fixture, "serve", folder, ...flags);
      await run.shows(flags.length === 0 ? "Type help" : "listening");
      const locks = readdirSync(fixture.lockFolder).map((name) => join(fixture.lockFolder, name));
      const own = locks.find((lock) => readFileSync(lock, "utf8").includes('"generator"'));
      const agent = await joinAs(String(own), HOSTILE);
      agent.send({ jsonrpc: "2.0", method: HOSTILE, params: { [HOSTILE]: HOSTILE } });
      void agent.request(HOSTILE, { name: HOSTILE }).catch(() => undefined);
      void propose(agent, file, HOSTILE, HOSTILE).catch(() => undefined);
      run.type(flags[0] === "--script" ? { do: HOSTILE, [HOSTILE]: HOSTILE } : `open ${HOSTILE}`);
      await run.shows(flags.length === 0 ? "accept, edit or reject?" : "diff-opened");
      if (flags[0] === "--json") {
        await run.event("diff-opened", { filePath: file, tabName: HOSTILE, proposed: HOSTILE });
      }
      run.signal("SIGTERM");
      await run.exited;
      expect(interpreted(run)).toEqual([]);
    },
  );

  test("of commands that observe or drive an editor", async () => {
    const { fixture, folder, file } = openHostile();
    const editor = start(fixture, "serve", folder, "--name", "plain\u3164\u202e");
    await editor.shows("Type help");
    const tails = [[], ["--json"]].map((flags) =>
      start(fixture, "tail", "--cwd", folder, ...flags),
    );
    const inspect = start(fixture, "inspect", folder);
    const inspectJson = start(fixture, "inspect", folder, "--json");
    for (const run of tails) await run.shows("plain");
    for (const run of [inspect, inspectJson]) await run.shows("plain");
    const done = [
      ["open", file],
      ["select", `${file}:1`],
      ["mention", `${file}:1`],
      ["list", "--cwd", folder],
      ["list", "--cwd", folder, "--json"],
      ["doctor", "--cwd", folder],
      ["doctor", "--cwd", folder, "--json"],
      ["call", "getDiagnostics", "--cwd", folder],
      ["call", "getCurrentSelection", "--cwd", folder, "--json"],
      ["call", HOSTILE, "--cwd", folder],
      ["check", "--cwd", folder, "--json"],
    ].map((args) => start(fixture, ...args));
    for (const run of done) await run.exited;
    for (const run of tails) await run.shows("mention");
    for (const run of [editor, ...done, ...tails, inspect, inspectJson]) {
      expect(interpreted(run)).toEqual([]);
    }
  });

  test("of a simulated agent's output, and of a play that fails", async () => {
    const fixture = openFixture();
    const steps = [
      { scenario: HOSTILE, version: 1 },
      { expect: "exit", code: 3 },
    ];
    fixture.file("play.jsonl", steps.map((step) => `${JSON.stringify(step)}\n`).join(""));
    const program = `process.stdout.write(${JSON.stringify(HOSTILE)}); console.error(${JSON.stringify(HOSTILE)})`;
    for (const flags of [[], ["--json"]]) {
      const args = ["simulate", "play.jsonl", ...flags, "--", process.execPath, "-e", program];
      const run = start(fixture, ...args);
      await run.exited;
      expect(interpreted(run)).toEqual([]);
    }
  });

  test("of host, whose stdout is for a program", async () => {
    const fixture = openFixture();
    const run = start(fixture, "host", "--stdio");
    run.type({ jsonrpc: "2.0", id: HOSTILE, method: HOSTILE });
    run.type({ jsonrpc: "2.0", method: HOSTILE });
    run.type(HOSTILE);
    await run.shows("jsonrpc");
    run.stdin.end();
    await run.exited;
    expect(interpreted(run)).toEqual([]);
  });
});

describe("one module writes to the terminal", () => {
  const cli = join(import.meta.dirname, "../../packages/cli/src");
  const PRINTERS = ["output/print.ts", "serve/terminal/prompt/screen.ts"];
  const files = readdirSync(cli, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );

  test("no other file of the command writes to stdout or stderr", () => {
    expect(files).toEqual(expect.arrayContaining(PRINTERS));
    const others = files.filter((name) => !PRINTERS.includes(name));
    const writes =
      /\b(?:std(?:out|err)|output)\??\.(?:write|end)\(|(?<!\b(?:v|stdin))\.pipe\(|\bconsole\.|fd: [12]\b|"inherit"/;
    const writers = others.filter((name) => writes.test(readFileSync(join(cli, name), "utf8")));
    // They run a program in the foreground: the person's own editor, pager or agent.
    expect(writers.sort()).toEqual([
      // Forwards between two sockets.
      "debug/inspect/tunnel.ts",
      "process/agent-process.ts",
      "serve/terminal/prompt/pager.ts",
      "serve/terminal/review/edit-text.ts",
    ]);
  });
});

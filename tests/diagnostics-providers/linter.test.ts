import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { isAlive, openLinter } from "../src/diagnostics-providers/provider-context.ts";
import { retryLate } from "../src/retry-late.ts";

/** A linter without a compiler: it prints `found.txt`. */
const CAT = "cat found.txt; exit 1";

describe("a linter", () => {
  test("runs at the start, and again after a change", async () => {
    const { write, problems, until, events } = await openLinter(
      { command: CAT },
      { "found.txt": "a.c:2:5: error: no\nMakefile:1: recipe failed\n", "a.c": "int\nx y;\n" },
    );
    await until(async () => expect(await problems("a.c")).toEqual(["1:4 no"]));
    await write("found.txt", "a.c:1:1: warning: maybe\n");
    await until(async () => expect(await problems("a.c")).toEqual(["0:0 maybe"]));
    await write("found.txt", "");
    await until(async () => expect(await problems("a.c")).toEqual([]));
    await until(() => expect(events).toEqual(["a.c", "a.c", "a.c"]));
  });

  test("delays an answer until it has run: an agent's edit is checked first", async () => {
    const { host, write, problems, until } = await openLinter({
      command: `grep -Hn bad *.txt | sed 's/:bad.*/:1: error: a bad word/'; exit 0`,
    });
    const path = await write("a.txt", "fine\n");
    await host.diagnostics?.(path);
    await until(async () => {
      await write("a.txt", "fine\nbad\n");
      expect(await problems("a.txt")).toEqual(["1:0 a bad word"]);
      await write("a.txt", "fine\n");
      expect(await problems("a.txt")).toEqual([]);
    });
  });

  test("reports nothing about files that are outside, missing or secret", async () => {
    const { host, until } = await openLinter(
      { command: CAT },
      {
        "found.txt":
          "/etc/passwd:1:1: error: x\n../up.c:1:1: error: x\nnone.c:1:1: error: x\n.env.c:1:1: error: x\nhttp://localhost:80 is up\na.c:1:1: error: here\n",
        "a.c": "",
        ".env.c": "",
      },
    );
    await until(async () => {
      const files = (await host.diagnostics?.()) ?? [];
      expect(files.map(({ diagnostics }) => diagnostics[0]?.message)).toEqual(["here"]);
    });
  });

  test("runs one at a time, and not endlessly on its own writes", async () => {
    const { path, until, write } = await openLinter({
      command:
        "test -e lock && touch twice; touch lock; date +%N > made.txt; sleep 0.1; rm lock; echo run >> .runs",
    });
    const runs = () => readFileSync(path(".runs"), "utf8").split("\n").length - 1;
    await until(() => expect(runs()).toBeGreaterThan(0));
    // Another run would start 100 ms after the previous one: waits until none does.
    let before = 0;
    while (before < runs() && runs() <= 4) {
      before = runs();
      await delay(700);
    }
    expect(runs()).toBeLessThanOrEqual(4);
    await write("b.txt", "");
    await until(() => expect(runs()).toBeGreaterThan(before));
    expect(existsSync(path("twice"))).toBe(false);
  });

  test("that cannot be run is named once", async () => {
    const { notices, until } = await openLinter({ command: "no-such-linter ." });
    await until(() => expect(notices).toHaveLength(1));
    expect(notices[0]).toContain('the linter "no-such-linter ." cannot be run (exit code 127)');
  });

  test("whose output is not understood is named once, with its output", async () => {
    const { notices, until, write } = await openLinter({ command: "echo Kaputt!; exit 1" });
    await until(() => expect(notices).toHaveLength(1));
    await write("a.txt", "");
    expect(notices[0]).toMatch(
      /exited with exit code 1, but no problem .* "Kaputt!"; name its format with --matcher/,
    );
  });

  test("that prints endlessly is terminated, and its earlier findings are reported", async () => {
    const { notices, until, problems } = await openLinter(
      { command: `echo 'a.c:1:1: error: x'; yes ${"x".repeat(200)}` },
      { "a.c": "" },
    );
    // On a slow CPU, the time limit may be reached first.
    await until(() => expect(notices.join()).toMatch(/printed more than 8 MiB|takes too long/));
    await until(async () => expect(await problems("a.c")).toEqual(["0:0 x"]));
  });

  test("that takes too long is terminated, with its child processes", async () => {
    const command = "sleep 1000 & echo $! > .pid; wait";
    const { until, path } = await retryLate(
      [500, 10_000],
      async (timeoutMs) => {
        const context = await openLinter({ command, timeoutMs });
        await context.until(() => expect(context.notices.join()).toContain("took too long"));
        return context;
      },
      // It was terminated before it could start a child.
      (context) => !existsSync(context.path(".pid")),
    );
    const pid = Number(readFileSync(path(".pid"), "utf8"));
    await until(() => expect(isAlive(pid)).toBe(false));
  });

  test("that runs when the host closes is terminated, with its child processes", async () => {
    const { host, until, path } = await openLinter({
      command: "trap '' TERM; sleep 1000 & echo $! > .pid; wait; sleep 1000",
    });
    await until(() => expect(readFileSync(path(".pid"), "utf8")).toContain("\n"));
    const pid = Number(readFileSync(path(".pid"), "utf8"));
    await host.close();
    await until(() => expect(isAlive(pid)).toBe(false));
  });

  test("with a regular expression of exponential time is terminated within seconds", async () => {
    const { notices, until } = await openLinter({
      command: `printf '%s\\n' aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!; sleep 1000`,
      matchers: [{ pattern: { regexp: "^((a+)+)+$", file: 1, line: 2 } }],
      timeoutMs: 1_000,
    });
    await until(() => expect(notices.join()).toMatch(/took too long|takes too long/));
  });
});

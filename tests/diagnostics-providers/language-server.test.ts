import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { languageServerProvider } from "idewire/folder-host";
import { describe, expect, test } from "vitest";
import {
  fakeServer,
  isAlive,
  openFakeServer,
  openProviderContext,
} from "../src/diagnostics-providers/provider-context.ts";

describe("what a server reports", () => {
  test.each([
    {},
    { versions: true },
    { pull: "documents" },
    { pull: "documents", cancelFirst: true },
  ])("concerns the text that an agent has just written, by %j", async (how) => {
    const { host, write, problems, until } = await openFakeServer(how);
    const path = await write("a.ts", "fine\n");
    await until(async () => {
      await host.diagnostics?.(path);
      expect(await problems("a.ts")).toEqual([]);
      await write("a.ts", "fine\nso bad\n");
      expect(await problems("a.ts")).toEqual(["1:3 a bad word"]);
      await write("a.ts", "bad bad\n");
      expect(await problems("a.ts")).toEqual(["0:0 a bad word", "0:4 a bad word"]);
      await write("a.ts", "fine again\n");
      expect(await problems("a.ts")).toEqual([]);
    });
  });

  test("has the server's name as source, unless it names one, and its severity", async () => {
    const { host, write, until } = await openFakeServer({ item: { severity: 2, code: "B1" } });
    const path = await write("a.ts", "bad");
    await until(async () => {
      const [file] = (await host.diagnostics?.(path)) ?? [];
      expect(file?.diagnostics).toMatchObject([
        { severity: "warning", code: "B1", source: "node" },
      ]);
    });
  });

  test("causes one event for each list that differs, and no other", async () => {
    const { host, write, until, events, problems } = await openFakeServer();
    const path = await write("a.ts", "bad");
    await host.diagnostics?.(path);
    await until(() => expect(events).toEqual(["a.ts"]));
    await write("a.ts", "bad, no worse");
    await until(async () => expect(await problems("a.ts")).toHaveLength(1));
    await write("a.ts", "good");
    await until(async () => expect(await problems("a.ts")).toEqual([]));
    await until(() => expect(events.length).toBeGreaterThan(1));
    // A list withheld because of its age may be reported once more.
    expect(events.length).toBeLessThanOrEqual(3);
  });

  test("about an older text is dropped", async () => {
    const { host, write, problems, until } = await openFakeServer({ versions: true, lag: 1 });
    const path = await write("a.ts", "bad");
    await host.diagnostics?.(path);
    await until(async () => {
      await write("a.ts", `bad ${Math.random()}`);
      expect(await problems("a.ts")).toEqual([]);
    });
  });

  test("comes for unsaved text, too", async () => {
    const { host, write, problems, until } = await openFakeServer();
    const path = await write("a.ts", "fine");
    await host.edit(path, "bad");
    await until(async () => expect(await problems("a.ts")).toEqual(["0:0 a bad word"]));
    await host.edit(path, "good");
    await until(async () => expect(await problems("a.ts")).toEqual([]));
  });

  test.each(["utf-8", "utf-32", "utf-16"])(
    "counts in UTF-16 units, whatever the server does: %s",
    async (encoding) => {
      const { host, write, problems, until } = await openFakeServer({ encoding });
      const path = await write("a.ts", "é🙂 bad 🙂bad\n");
      await host.diagnostics?.(path);
      await until(async () => {
        expect(await problems("a.ts")).toEqual(["0:4 a bad word", "0:10 a bad word"]);
      });
    },
  );

  test("about files that are not open is reported as well, but not about files outside or secrets", async () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
    const items = [{ range, message: "elsewhere" }];
    const uris = ["file:///etc/passwd", "http://example.org/a.ts", "file://%zz", "nonsense"];
    const others = uris.map((uri) => ({ uri, items }));
    const { folder, host, until, write } = await openFakeServer({ pull: "all", others });
    await write("a.ts", "bad");
    await host.diagnostics?.(`${folder}/a.ts` as never);
    await until(async () => expect((await host.diagnostics?.())?.[0]?.diagnostics).toHaveLength(1));
    expect(await host.diagnostics?.()).toHaveLength(1);
  });

  test("is dropped when the file is deleted", async () => {
    const { host, write, path, events, until } = await openFakeServer();
    await write("a.ts", "bad");
    await host.diagnostics?.(path("a.ts"));
    await until(() => expect(events).toEqual(["a.ts"]));
    await rm(path("a.ts"));
    await until(async () => {
      expect(await host.diagnostics?.(path("a.ts"))).toEqual([
        { path: path("a.ts"), diagnostics: [] },
      ]);
      expect(events.length).toBeGreaterThan(1);
    });
  });
});

describe("what a server receives", () => {
  test("an open document, each save, and its end; each language by its id", async () => {
    const { host, write, lines, until } = await openFakeServer({ register: [{ scheme: "file" }] });
    const path = await write("a.tsx", "fine");
    await host.open(path);
    await until(() => expect(lines.join()).toContain("open typescriptreact"));
    await write("a.tsx", "bad");
    await until(() => expect(lines.join()).toContain("Save"));
    expect(lines.join()).toContain("file event");
    expect(await host.closeTab?.(path)).toBe(true);
  });

  test("only documents that it registers for", async () => {
    const register = [{ language: "python" }, { pattern: "**/*.{yaml,yml}" }];
    const { host, write, lines, until, path } = await openFakeServer({ register });
    await until(() => expect(lines.join()).toContain("answered r"));
    for (const name of ["a.ts", "b.py", "c/d.yml", "e.txt"]) {
      await write(name, "bad");
      await host.diagnostics?.(path(name));
    }
    await until(() => {
      const opened = lines
        .filter((line) => line.includes("open "))
        .map((line) => line.split(" ").at(-1));
      expect(opened).toEqual(expect.arrayContaining(["python", "yaml"]));
    });
    for (const language of ["typescript", "plaintext"]) {
      expect(lines.join()).not.toContain(language);
    }
  });

  test("only languages that are named before it", async () => {
    const { host, write, lines, until } = await openProviderContext((callbacks) =>
      languageServerProvider({ command: `python,go=${fakeServer()}`, ...callbacks }),
    );
    await host.diagnostics?.(await write("a.ts", "bad"));
    await host.diagnostics?.(await write("b.go", "bad"));
    await until(() => expect(lines.join()).toContain("open go"));
    expect(lines.join()).not.toContain("typescript");
  });

  test("its settings, after the handshake and when it asks for a section, and its options", async () => {
    const items = [{ section: "fake.list" }, { section: "fake" }, { section: "other" }, {}];
    const { lines, until } = await openFakeServer(
      { curious: true, items },
      { settings: { "fake.list": [1] }, initializationOptions: { quiet: true } },
    );
    const received = () => lines.map((line) => line.slice(line.indexOf(": ") + 2));
    await until(() => {
      expect(received()).toContain('options {"quiet":true}');
      expect(received()).toContain('set to {"fake":{"list":[1]}}');
      expect(received()).toContain('answered c [[1],{"list":[1]},null,{"fake":{"list":[1]}}]');
    });
  });

  test("an answer to each of its questions", async () => {
    const { folder, lines, until } = await openFakeServer({ curious: true, register: [] });
    await until(() => {
      const received = lines
        .filter((line) => line.includes("answered"))
        .map((line) => line.split("answered ")[1]);
      expect(received.sort()).toEqual([
        "c [null,null]",
        `f [{"uri":"file://${folder}","name":"${folder.split("/").at(-1)}"}]`,
        "n null",
        "r null",
        'x {"code":-32601,"message":"Method not found: \\"made/up\\""}',
      ]);
    });
  });

  test("no secret, and no file outside", async () => {
    const { host, write, lines, until } = await openFakeServer();
    const secret = await write(".env.ts", "bad");
    await host.diagnostics?.(secret);
    await host.diagnostics?.(await write("a.go", "bad"));
    await until(() => expect(lines.join()).toContain("open go"));
    expect(lines.join()).not.toContain("typescript");
    expect((await host.diagnostics?.(secret))?.[0]?.diagnostics).toEqual([]);
  });
});

/** How long the answer for the folder takes after a change of a file. */
async function timeOfAnswer(context: Awaited<ReturnType<typeof openFakeServer>>): Promise<number> {
  await context.host.diagnostics?.(await context.write("a.ts", `bad ${Math.random()}`));
  const before = performance.now();
  await context.host.diagnostics?.();
  return performance.now() - before;
}

/** Expects at least one of several answers at once: a busy machine may delay some. */
function expectNoWait(context: Awaited<ReturnType<typeof openFakeServer>>): Promise<void> {
  return expect.poll(() => timeOfAnswer(context)).toBeLessThan(1_000);
}

describe("a server that", () => {
  test("does not exist is named once, and delays no answer", async () => {
    const context = await openProviderContext((callbacks) =>
      languageServerProvider({ command: "no-such-language-server --stdio", ...callbacks }),
    );
    await context.until(() => expect(context.notices).toHaveLength(1));
    expect(context.notices[0]).toContain(
      '"no-such-language-server --stdio" cannot be run (exit code 127)',
    );
    await expectNoWait(context);
  });

  test.each([
    [
      { garbage: true },
      "does not speak LSP on its stdout: its output has no header with Content-Length",
    ],
    [{ hugeHeader: true }, "its output has a message of 1099511627776 bytes, more than 16777216"],
    [{ refuse: true }, "refuses to start: not for you"],
  ])("misbehaves at its start is terminated, and named once: %j", async (how, words) => {
    const context = await openFakeServer(how);
    await context.until(() => expect(context.notices.join("\n")).toContain(words));
    await expectNoWait(context);
    expect(context.notices).toHaveLength(1);
  });

  test("never answers is terminated after its time-out", async () => {
    const context = await openFakeServer({ mute: true }, { startTimeoutMs: 300 });
    await context.until(() =>
      expect(context.notices.join()).toContain("did not answer initialize"),
    );
    await expectNoWait(context);
  });

  test("crashes repeatedly is restarted, then no more", async () => {
    const context = await openFakeServer({ crash: "start" }, { restartMs: 5 });
    await context.until(() => expect(context.notices).toHaveLength(2));
    expect(context.notices[0]).toContain("crashed (exit code 3: no luck today); restarting it");
    expect(context.notices[1]).toContain(
      "crashed 5 times in 3 minutes (exit code 3: no luck today): stopped",
    );
    expect(context.lines.filter((line) => line.includes("no luck"))).toHaveLength(5);
  });

  test("crashes on a file is restarted, and receives the file again", async () => {
    const context = await openFakeServer({ crash: "open" }, { restartMs: 5 });
    await context.host.diagnostics?.(await context.write("a.ts", "bad"));
    await context.until(() => expect(context.notices.at(-1)).toContain("crashed 5 times"));
    expect(context.lines.filter((line) => line.includes("open typescript"))).toHaveLength(5);
  });

  test("reports nothing for a text costs a bounded wait, and after three of them none", async () => {
    const context = await openFakeServer({ silent: true });
    await context.until(() => expect(context.lines.join()).toContain("initialized with"));
    const times: number[] = [];
    for (let round = 0; round < 5; round++) times.push(await timeOfAnswer(context));
    expect(Math.max(...times)).toBeLessThan(15_000);
    await expectNoWait(context);
    expect(context.notices).toEqual([]);
  });

  test("floods is read at a limited rate", async () => {
    const context = await openFakeServer({ flood: true });
    const path = await context.write("a.ts", "bad");
    await context.host.diagnostics?.(path);
    await context.until(async () => expect(await context.problems("a.ts")).toHaveLength(1));
    const [before, beganMs] = [process.cpuUsage(), performance.now()];
    const events = context.events.length;
    // Five of the windows of 100 ms in which its output is read.
    await delay(500);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(0.8 * (performance.now() - beganMs));
    expect(context.events.length).toBe(events);
  });

  test("ignores requests and signals is killed, with its child processes", async () => {
    const context = await openFakeServer({ stubborn: true });
    await context.until(() => expect(context.lines.join()).toContain("child "));
    const [, child, parent] = /child (\d+) of (\d+)/.exec(context.lines.join()) ?? [];
    const before = performance.now();
    await context.host.close();
    expect(performance.now() - before).toBeLessThan(15_000);
    await context.until(() =>
      expect([child, parent].filter((pid) => isAlive(Number(pid)))).toEqual([]),
    );
  });
});

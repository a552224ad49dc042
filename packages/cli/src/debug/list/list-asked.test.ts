import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { codex } from "@idewire/core";
import { expect, onTestFinished, test } from "vitest";
import { AgentContext } from "../../../../../tests/src/agent-context.ts";
import { CodexClient } from "../../../../../tests/src/reference-clients/codex-client.ts";
import { describeAsked } from "./listed-editor.ts";

interface Listed {
  readonly editors: readonly Readonly<Record<string, unknown>>[];
}

// "`idewire list` shows when it last asked" (docs/clients/codex.md, From nothing to the first prompt).
test("editors that Codex CLI queries are listed, with the time of its last request", async () => {
  const context = new AgentContext();
  const env = { ...context.fixture.env, TMPDIR: join(context.fixture.root, "t") };
  mkdirSync(env.TMPDIR);
  const { TMPDIR } = env;
  const { listener } = await context.serve(context.folder, {
    env,
    dialects: [codex],
    resume: true,
  });
  const [url = ""] = listener.endpoints.map((endpoint) => endpoint.url);
  const list = async () => {
    const { output } = await context.runWith({ TMPDIR }, "list", "--json");
    return (JSON.parse(output) as Listed).editors;
  };
  const editor = {
    ...{ state: "live", here: true, name: "IDE", socketPath: url.replace("unix:", "") },
    ...{ pid: process.pid, folders: [context.folder], agent: "Codex CLI" },
  };
  expect(await list()).toEqual([editor]);
  const silent = await context.runWith({ TMPDIR }, "list");
  expect(silent.code).toBe(0);
  expect(silent.output).toContain("for Codex CLI, which has not asked yet");
  await new CodexClient({ env, cwd: context.folder }).context();
  await expect.poll(list).toMatchObject([{ ...editor, askedMs: expect.any(Number) }]);
  const { output } = await context.runWith({ TMPDIR }, "list");
  expect(output).toMatch(/● IDE live: .*ipc-\d+\.sock, process \d+, for this folder\n/);
  expect(output).toMatch(/for Codex CLI, which asked \d+ s ago\n/);
  const elsewhere = await context.runWith({ TMPDIR }, "list", "--cwd", context.fixture.root);
  expect(elsewhere.output).toContain(`not for this folder: it is for ${context.folder}`);
  await listener.close();
  expect(await list()).toEqual([]);
});

test("an editor whose socket another program has taken is listed with that program", async () => {
  const context = new AgentContext();
  const env = { ...context.fixture.env, TMPDIR: join(context.fixture.root, "t") };
  const folder = join(env.TMPDIR, "codex-ipc");
  mkdirSync(env.TMPDIR);
  mkdirSync(folder, { mode: 0o700 });
  const path = join(folder, `ipc-${process.getuid?.() ?? 0}.sock`);
  const other = createServer().listen(path);
  await new Promise((resolve) => other.once("listening", resolve));
  onTestFinished(() => void other.close());
  await context.serve(context.folder, { env, dialects: [codex], resume: true });
  const { code, output } = await context.runWith({ TMPDIR: env.TMPDIR }, "list");
  expect(code).toBe(1);
  expect(output).toContain(`another program listens at ${path}`);
});

test("the time since the last request of an agent is in words", () => {
  const words = [-5, 40, 600, 90_000].map((seconds) =>
    describeAsked({ agent: "Codex CLI", askedMs: 0 }, seconds * 1_000),
  );
  expect(words).toEqual(
    ["0 s", "40 s", "10 min", "25 h"].map((age) => `for Codex CLI, which asked ${age} ago`),
  );
});

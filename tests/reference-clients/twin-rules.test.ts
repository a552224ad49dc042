import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Flaw } from "../src/twins/broken-answers.ts";
import { acceptedRevisions } from "../src/twins/claude-profile.ts";
import type { ClaudeTwin } from "../src/twins/claude-twin.ts";
import type { Scene } from "../src/twins/scene.ts";
import { openServer, openStage, playClaude, startClaude } from "../src/twins/scene.ts";
import { sleep } from "../src/twins/wire.ts";
import { verifies } from "../src/verifies.ts";

const selection = {
  filePath: "/w/a.txt",
  text: "two",
  selection: { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } },
};

/** Edits a file with a name that percent-encoding changes, and accepts in the editor. */
async function acceptEdit({ twin, stage, server }: Scene, name = "ä b.json", text?: string) {
  const path = stage.file(name, "old");
  const edit = twin.edit(path, "new");
  await twin.until("an open diff", () => server.diffs.size > 0);
  server.decide("accept", text);
  const result = await edit.result;
  return { path, result, written: readFileSync(path, "utf8") };
}

/** Accepts an edit after which the editor has one new problem. */
async function acceptBadEdit(scene: Scene, name = "ä b.json"): Promise<string | undefined> {
  const path = scene.stage.file(name, "old");
  scene.server.afterBaseline = () => {
    scene.server.diagnostics.set(path, [{ message: "broken", severity: "error" }]);
  };
  const edit = scene.twin.edit(path, "new");
  await scene.twin.until("an open diff", () => scene.server.diffs.size > 0);
  scene.server.decide("accept");
  return (await edit.result).newDiagnostics;
}

async function ended(flaw: Flaw): Promise<ClaudeTwin> {
  const stage = openStage();
  await openServer(stage, { flaw });
  const twin = await startClaude(stage);
  await twin.until("failed", () => twin.state === "failed");
  return twin;
}

test("a server without a flaw breaks no rule in a whole day", async () => {
  const scene = await playClaude({ selection });
  const { twin, server, stage } = scene;
  await twin.until("the selection", () => twin.badge);
  expect((await twin.prompt()).context).toContain("lines 2 to 2 from /w/a.txt");
  expect((await acceptEdit(scene)).written).toBe("new");
  expect((await acceptEdit(scene, "b.txt", "mine")).written).toBe("mine");
  const closed = twin.edit(stage.file("c.txt", "old"), "new");
  await twin.until("an open diff", () => server.diffs.size > 0);
  server.decide("close");
  expect((await closed.result).decision).toBe("rejected");
  const elsewhere = twin.edit(stage.file("d.txt", "old"), "new");
  await twin.until("an open diff", () => server.diffs.size > 0);
  elsewhere.answerInTerminal("accept");
  await elsewhere.result;
  await twin.until("settled", () => twin.unsettled.length === 0);
  server.drop(1001);
  await twin.until("back", () => twin.transcript.connection === 2 && twin.badge);
  await twin.prompt();
  await twin.exit();
  expect(twin.violations).toEqual([]);
});

test("a server without a flaw has its new problems told", async () => {
  const scene = await playClaude();
  expect(await acceptBadEdit(scene)).toContain("[Line 2:5] broken");
  expect(scene.twin.violations).toEqual([]);
});

verifies(
  "cli:1:needs-subprotocol",
  "the connection is dropped when mcp is not echoed",
  async () => {
    const twin = await ended("no-subprotocol");
    await sleep(60);
    expect(twin.transcript.states()).toEqual(["connecting", "failed"]);
    expect(twin.transcript.rules()).toEqual(["subprotocol"]);
    expect(twin.transcript.sent()).toEqual([]);
  },
);

verifies("cli:1:deaf-window", "what comes up to 30 ms after tools/list is lost", async () => {
  const { twin, server } = await playClaude({ flaw: "speaks-too-early", selection });
  await twin.until("all said", () => twin.transcript.dropped("deaf").length === 4);
  expect((await twin.prompt()).context).toBeUndefined();
  await twin.until("heard", () => {
    server.notify("selection_changed", selection);
    return twin.badge;
  });
  expect(twin.violations).toEqual([]);
});

verifies(
  "cli:1:resend-each-connection",
  "what comes later is heard, on every connection",
  async () => {
    const { twin, server } = await playClaude({ selection });
    await twin.until("heard", () => twin.badge);
    server.drop();
    await twin.until("heard again", () => twin.transcript.connection === 2 && twin.badge);
    expect(twin.transcript.dropped("deaf")).toEqual([]);
  },
);

test("a notification with a null key is dropped and a fault", async () => {
  const { twin } = await playClaude({ flaw: "null-keys", selection });
  await twin.until("dropped", () => twin.transcript.dropped("null").length === 1);
  expect((await twin.prompt()).context).toBeUndefined();
  expect(twin.transcript.rules()).toEqual(["null-key"]);
});

verifies(
  "cli:1:forgets-on-reconnect",
  "the selection is forgotten after a prompt and a re-connect",
  async () => {
    const { twin, server } = await playClaude({ flaw: "never-resends", selection });
    await twin.until("heard", () => twin.badge);
    expect((await twin.prompt()).context).toContain("/w/a.txt");
    expect((await twin.prompt()).context).toBeUndefined();
    server.notify("selection_changed", selection);
    await twin.until("heard", () => twin.badge);
    server.drop();
    await twin.until("back", () => twin.transcript.connection === 2 && twin.connection?.ready);
    server.ping();
    await twin.until("the pong", () => server.pongs > 0);
    expect((await twin.prompt()).context).toBeUndefined();
  },
);

test("percent-encoded uris are ignored and a fault", async () => {
  const scene = await playClaude({ flaw: "encoded-uri" });
  expect(await acceptBadEdit(scene)).toBeUndefined();
  expect(scene.twin.transcript.rules()).toEqual(["encoded-uri"]);
});

verifies("cli:5:uri-scheme", "entries of other schemes are skipped and a fault", async () => {
  const scene = await playClaude({ flaw: "foreign-uri" });
  expect(await acceptBadEdit(scene)).toBeUndefined();
  expect(scene.twin.transcript.rules()).toEqual(["uri-scheme"]);
});

verifies("cli:5:range-missing", "one diagnostic without range voids the batch", async () => {
  const scene = await playClaude({ flaw: "no-range" });
  expect(await acceptBadEdit(scene)).toBeUndefined();
  expect(scene.twin.transcript.rules()).toEqual(["diagnostic-range"]);
});

test("an answer of getDiagnostics that is no array is a fault", async () => {
  const scene = await playClaude({ flaw: "diagnostics-no-array" });
  expect(await acceptBadEdit(scene)).toBeUndefined();
  expect(scene.twin.transcript.rules()).toEqual(["diagnostics-shape"]);
});

verifies(
  ["cli:1:tab-closed-accepts", "cli:5:tab-closed-accepts"],
  "TAB_CLOSED writes the file, against the person",
  async () => {
    const { twin, stage, server } = await playClaude({ flaw: "tab-closed" });
    const path = stage.file("a.txt", "old");
    const edit = twin.edit(path, "new");
    await twin.until("an open diff", () => server.diffs.size > 0);
    server.decide("close");
    expect((await edit.result).decision).toBe("accepted");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(twin.transcript.rules()).toEqual(["tab-closed-accepts"]);
  },
);

verifies(
  ["cli:5:baseline-500ms", "cli:5:baseline-stops"],
  "after three late baselines none is asked for",
  async () => {
    const scene = await playClaude({ flaw: "late-baseline" });
    for (const name of ["1.txt", "2.txt", "3.txt"]) {
      expect(scene.twin.asksForBaselines).toBe(true);
      await acceptEdit(scene, name);
    }
    expect(scene.twin.asksForBaselines).toBe(false);
    await acceptEdit(scene, "4.txt");
    expect(scene.twin.transcript.calls("getDiagnostics")).toHaveLength(3);
    expect(scene.twin.violations.map(({ rule }) => rule)).toEqual(Array(3).fill("late-baseline"));
    expect(scene.twin.transcript.sent("notifications/cancelled")).toEqual([]);
  },
);

verifies(
  "cli:5:workspace-2s",
  "the workspace's problems come within 2 s or not at all",
  async () => {
    const scene = await playClaude({ flaw: "late-diagnostics" });
    expect(await acceptBadEdit(scene)).toBeUndefined();
    expect(scene.twin.transcript.rules()).toEqual(["late-diagnostics"]);
  },
);

verifies(
  "cli:5:jetbrains-name",
  "the name of the JetBrains plugin switches baselines off",
  async () => {
    const scene = await playClaude({ flaw: "jetbrains-name" });
    expect(await acceptBadEditUnasked(scene)).toBeUndefined();
    expect(scene.twin.transcript.rules()).toEqual(["forbidden-server-name"]);
  },
);

async function acceptBadEditUnasked(scene: Scene): Promise<string | undefined> {
  const { result } = await acceptEdit(scene);
  expect(scene.twin.transcript.calls("getDiagnostics")).toEqual([]);
  return result.newDiagnostics;
}

verifies(
  ["cli:1:first-address", "cli:1:gives-up"],
  "five re-connects, to the first address with the first token",
  async () => {
    const { twin, server, stage } = await playClaude({ token: "first" });
    const { port } = server;
    await server.close();
    await openServer(stage, { token: "second" });
    await twin.until("given up", () => twin.state === "gave-up");
    const dialled = twin.transcript.entries.flatMap((entry) =>
      entry.kind === "state" && entry.state === "connecting" ? [entry.detail] : [],
    );
    expect(dialled).toEqual(Array(6).fill(`ws://127.0.0.1:${port}`));
    const other = await playClaude({ token: "first" });
    const first = other.server.port;
    await other.server.close();
    const restarted = await openServer(other.stage, { port: first, token: "second" });
    await other.twin.until("given up", () => other.twin.state === "gave-up");
    expect(restarted.upgrades).toEqual([]);
    expect(other.twin.transcript.states().filter((state) => state === "retry")).toHaveLength(5);
  },
);

test("a restart on the same port with the same token is found", async () => {
  const { twin, server, stage } = await playClaude({}, { moreTries: 50 });
  const { port } = server;
  await server.close();
  const again = await openServer(stage, { port });
  await twin.until("back", () => twin.transcript.connection > 1 && twin.connection?.ready);
  expect(again.upgrades[0]?.headers["x-claude-code-ide-authorization"]).toBe("secret");
});

verifies("cli:4:revisions", "the four legacy revisions are accepted", async () => {
  expect(acceptedRevisions).toHaveLength(4);
  for (const revision of acceptedRevisions) {
    const { twin } = await playClaude({ revision });
    expect(twin.violations).toEqual([]);
  }
});

verifies("cli:4:unknown-revision", "an unknown revision ends it", async () => {
  expect((await ended("unknown-revision")).transcript.rules()).toEqual(["protocol-version"]);
});

test("an error for initialize ends it", async () => {
  expect((await ended("initialize-error")).transcript.rules()).toEqual(["initialize-refused"]);
});

/** Flaws that the client survives: each is a violation of its own name. */
const survived: readonly (readonly [Flaw, string])[] = [
  ["asks-before-initialize-reply", "request-before-initialize-reply"],
  ["unknown-id", "unknown-id"],
  ["second-answer", "second-answer"],
  ["result-and-error", "result-or-error"],
  ["tool-without-schema", "tools-list"],
  ["no-own-tools", "own-call-failed"],
];

test.each(survived)("%s is recorded as %s", async (flaw, rule) => {
  const { twin } = await playClaude({ flaw });
  await twin.prompt();
  await twin.until("recorded", () => twin.violations.length > 0);
  expect(twin.transcript.rules()).toEqual([rule]);
});

test("an answer in a binary frame is none", async () => {
  const stage = openStage();
  const server = await openServer(stage, { flaw: "binary-answer" });
  const twin = await startClaude(stage);
  await twin.until("recorded", () => twin.transcript.rules().includes("binary-frame"));
  server.ping();
  await twin.until("the pong", () => server.pongs > 0);
  expect(twin.connection?.ready).toBe(false);
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Flaw } from "../src/reference-clients/broken-answers.ts";
import type { ClaudeClient } from "../src/reference-clients/claude-client.ts";
import { FIRST_RETRY_MS } from "../src/reference-clients/claude-connection.ts";
import { acceptedRevisions } from "../src/reference-clients/claude-profile.ts";
import type { Context } from "../src/reference-clients/context.ts";
import {
  openFixture,
  openServer,
  playClaude,
  startClaude,
} from "../src/reference-clients/context.ts";
import { sleep } from "../src/reference-clients/wire.ts";
import { silentPort } from "../src/silent-port.ts";
import { verifies } from "../src/verifies.ts";

const selection = {
  filePath: "/w/a.txt",
  text: "two",
  selection: { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } },
};

/** Edits a file with a name that percent-encoding changes, and accepts in the editor. */
async function acceptEdit({ client, fixture, server }: Context, name = "ä b.json", text?: string) {
  const path = fixture.file(name, "old");
  const edit = client.edit(path, "new");
  await client.until("an open diff", () => server.diffs.size > 0);
  server.decide("accept", text);
  const result = await edit.result;
  return { path, result, written: readFileSync(path, "utf8") };
}

/** Accepts an edit after which the editor has one new problem. */
async function acceptBadEdit(context: Context, name = "ä b.json"): Promise<string | undefined> {
  const path = context.fixture.file(name, "old");
  context.server.afterBaseline = () => {
    context.server.diagnostics.set(path, [{ message: "broken", severity: "error" }]);
  };
  const edit = context.client.edit(path, "new");
  await context.client.until("an open diff", () => context.server.diffs.size > 0);
  context.server.decide("accept");
  return (await edit.result).newDiagnostics;
}

async function ended(flaw: Flaw): Promise<ClaudeClient> {
  const fixture = openFixture();
  await openServer(fixture, { flaw });
  const client = await startClaude(fixture);
  await client.until("failed", () => client.state === "failed");
  return client;
}

test("a correct server breaks no rule in a whole session", async () => {
  const context = await playClaude({ selection });
  const { client, server, fixture } = context;
  await client.until("the selection", () => client.badge);
  expect((await client.prompt()).context).toContain("lines 2 to 2 from /w/a.txt");
  expect((await acceptEdit(context)).written).toBe("new");
  expect((await acceptEdit(context, "b.txt", "mine")).written).toBe("mine");
  const closed = client.edit(fixture.file("c.txt", "old"), "new");
  await client.until("an open diff", () => server.diffs.size > 0);
  server.decide("close");
  expect((await closed.result).decision).toBe("rejected");
  const elsewhere = client.edit(fixture.file("d.txt", "old"), "new");
  await client.until("an open diff", () => server.diffs.size > 0);
  elsewhere.answerInTerminal("accept");
  await elsewhere.result;
  await client.until("settled", () => client.unsettled.length === 0);
  server.drop(1001);
  await client.until("reconnected", () => client.transcript.connection === 2 && client.badge);
  await client.prompt();
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("the new problems of a correct server reach the model", async () => {
  const context = await playClaude();
  expect(await acceptBadEdit(context)).toContain("[Line 2:5] broken");
  expect(context.client.violations).toEqual([]);
});

verifies(
  "cli:connection:needs-subprotocol",
  "the connection is dropped when mcp is not echoed",
  async () => {
    const client = await ended("no-subprotocol");
    await sleep(FIRST_RETRY_MS * 5);
    expect(client.transcript.states()).toEqual(["connecting", "failed"]);
    expect(client.transcript.rules()).toEqual(["subprotocol"]);
    expect(client.transcript.sent()).toEqual([]);
  },
);

verifies(
  "cli:notifications:deaf-window",
  "notifications up to 30 ms after tools/list are lost",
  async () => {
    const { client, server } = await playClaude({ flaw: "speaks-too-early", selection });
    await client.until("all dropped", () => client.transcript.dropped("deaf").length === 4);
    expect((await client.prompt()).context).toBeUndefined();
    await client.until("received", () => {
      server.notify("selection_changed", selection);
      return client.badge;
    });
    expect(client.violations).toEqual([]);
  },
);

verifies(
  "cli:notifications:resend-each-connection",
  "later ones are received, on every connection",
  async () => {
    const { client, server } = await playClaude({ selection });
    await client.until("received", () => client.badge);
    server.drop();
    await client.until("received again", () => client.transcript.connection === 2 && client.badge);
    expect(client.transcript.dropped("deaf")).toEqual([]);
  },
);

test("a notification with a null key is dropped and a fault", async () => {
  const { client } = await playClaude({ flaw: "null-keys", selection });
  await client.until("dropped", () => client.transcript.dropped("null").length === 1);
  expect((await client.prompt()).context).toBeUndefined();
  expect(client.transcript.rules()).toEqual(["null-key"]);
});

verifies(
  "cli:reconnecting:forgets-on-reconnect",
  "the selection is forgotten after a prompt and a re-connect",
  async () => {
    const { client, server } = await playClaude({ flaw: "never-resends", selection });
    await client.until("received", () => client.badge);
    expect((await client.prompt()).context).toContain("/w/a.txt");
    expect((await client.prompt()).context).toBeUndefined();
    server.notify("selection_changed", selection);
    await client.until("received", () => client.badge);
    server.drop();
    await client.until(
      "back",
      () => client.transcript.connection === 2 && client.connection?.ready,
    );
    server.ping();
    await client.until("the pong", () => server.pongs > 0);
    expect((await client.prompt()).context).toBeUndefined();
  },
);

test("percent-encoded uris are ignored and a fault", async () => {
  const context = await playClaude({ flaw: "encoded-uri" });
  expect(await acceptBadEdit(context)).toBeUndefined();
  expect(context.client.transcript.rules()).toEqual(["encoded-uri"]);
});

verifies(
  "cli:diagnostics:uri-scheme",
  "entries of other schemes are skipped and a fault",
  async () => {
    const context = await playClaude({ flaw: "foreign-uri" });
    expect(await acceptBadEdit(context)).toBeUndefined();
    expect(context.client.transcript.rules()).toEqual(["uri-scheme"]);
  },
);

verifies(
  "cli:diagnostics:range-missing",
  "one diagnostic without range voids the batch",
  async () => {
    const context = await playClaude({ flaw: "no-range" });
    expect(await acceptBadEdit(context)).toBeUndefined();
    expect(context.client.transcript.rules()).toEqual(["diagnostic-range"]);
  },
);

test("an answer of getDiagnostics that is not an array is a fault", async () => {
  const context = await playClaude({ flaw: "diagnostics-no-array" });
  expect(await acceptBadEdit(context)).toBeUndefined();
  expect(context.client.transcript.rules()).toEqual(["diagnostics-shape"]);
});

verifies(
  "cli:diffs:tab-closed-accepts",
  "TAB_CLOSED writes the file, against the person",
  async () => {
    const { client, fixture, server } = await playClaude({ flaw: "tab-closed" });
    const path = fixture.file("a.txt", "old");
    const edit = client.edit(path, "new");
    await client.until("an open diff", () => server.diffs.size > 0);
    server.decide("close");
    expect((await edit.result).decision).toBe("accepted");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(client.transcript.rules()).toEqual(["tab-closed-accepts"]);
  },
);

verifies(
  ["cli:diagnostics:baseline-500ms", "cli:diagnostics:baseline-stops"],
  "after three late baselines none is requested",
  async () => {
    const context = await playClaude({ flaw: "late-baseline" });
    for (const name of ["1.txt", "2.txt", "3.txt"]) {
      expect(context.client.asksForBaselines).toBe(true);
      await acceptEdit(context, name);
    }
    expect(context.client.asksForBaselines).toBe(false);
    await acceptEdit(context, "4.txt");
    expect(context.client.transcript.calls("getDiagnostics")).toHaveLength(3);
    expect(context.client.violations.map(({ rule }) => rule)).toEqual(
      Array(3).fill("late-baseline"),
    );
    expect(context.client.transcript.sent("notifications/cancelled")).toEqual([]);
  },
);

verifies(
  "cli:diagnostics:workspace-2s",
  "the workspace's problems come within 2 s or not at all",
  async () => {
    const context = await playClaude({ flaw: "late-diagnostics" });
    expect(await acceptBadEdit(context)).toBeUndefined();
    expect(context.client.transcript.rules()).toEqual(["late-diagnostics"]);
  },
);

verifies(
  "cli:diagnostics:jetbrains-name",
  "the name of the JetBrains plugin switches baselines off",
  async () => {
    const context = await playClaude({ flaw: "jetbrains-name" });
    expect(await acceptBadEditUnasked(context)).toBeUndefined();
    expect(context.client.transcript.rules()).toEqual(["forbidden-server-name"]);
  },
);

async function acceptBadEditUnasked(context: Context): Promise<string | undefined> {
  const { result } = await acceptEdit(context);
  expect(context.client.transcript.calls("getDiagnostics")).toEqual([]);
  return result.newDiagnostics;
}

verifies(
  ["cli:reconnecting:first-address", "cli:reconnecting:gives-up"],
  "five re-connects, to the first address with the first token",
  async () => {
    const { client, server, fixture } = await playClaude({ token: "first" });
    const { port } = server;
    await server.close();
    await openServer(fixture, { token: "second" });
    await client.until("given up", () => client.state === "gave-up");
    const dialled = client.transcript.entries.flatMap((entry) =>
      entry.kind === "state" && entry.state === "connecting" ? [entry.detail] : [],
    );
    expect(dialled).toEqual(Array(6).fill(`ws://127.0.0.1:${port}`));
    const first = await silentPort();
    const other = await playClaude({ token: "first", port: first });
    await other.server.close();
    const restarted = await openServer(other.fixture, { port: first, token: "second" });
    await other.client.until("given up", () => other.client.state === "gave-up");
    expect(restarted.upgrades).toEqual([]);
    expect(other.client.transcript.states().filter((state) => state === "retry")).toHaveLength(5);
  },
);

test("a restart on the same port with the same token is found", async () => {
  const port = await silentPort();
  const { client, server, fixture } = await playClaude({ port }, { moreTries: 50 });
  await server.close();
  const again = await openServer(fixture, { port });
  await client.until(
    "reconnected",
    () => client.transcript.connection > 1 && client.connection?.ready,
  );
  expect(again.upgrades[0]?.headers["x-claude-code-ide-authorization"]).toBe("secret");
});

verifies("cli:handshake:revisions", "the four legacy revisions are accepted", async () => {
  expect(acceptedRevisions).toHaveLength(4);
  for (const revision of acceptedRevisions) {
    const { client } = await playClaude({ revision });
    expect(client.violations).toEqual([]);
  }
});

verifies("cli:handshake:unknown-revision", "an unknown revision ends it", async () => {
  expect((await ended("unknown-revision")).transcript.rules()).toEqual(["protocol-version"]);
});

test("an error for initialize ends it", async () => {
  expect((await ended("initialize-error")).transcript.rules()).toEqual(["initialize-refused"]);
});

/** Flaws that the client survives, each with the name of its violation. */
const survived: readonly (readonly [Flaw, string])[] = [
  ["asks-before-initialize-reply", "request-before-initialize-reply"],
  ["unknown-id", "unknown-id"],
  ["second-answer", "second-answer"],
  ["result-and-error", "result-or-error"],
  ["tool-without-schema", "tools-list"],
  ["no-own-tools", "own-call-failed"],
];

test.each(survived)("%s is recorded as %s", async (flaw, rule) => {
  const { client } = await playClaude({ flaw });
  await client.prompt();
  await client.until("recorded", () => client.violations.length > 0);
  expect(client.transcript.rules()).toEqual([rule]);
});

test("an answer in a binary frame is ignored", async () => {
  const fixture = openFixture();
  const server = await openServer(fixture, { flaw: "binary-answer" });
  const client = await startClaude(fixture);
  await client.until("recorded", () => client.transcript.rules().includes("binary-frame"));
  server.ping();
  await client.until("the pong", () => server.pongs > 0);
  expect(client.connection?.ready).toBe(false);
});

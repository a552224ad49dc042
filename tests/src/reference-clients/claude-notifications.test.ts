import { join } from "node:path";
import { expect } from "vitest";
import { verifies } from "../verifies.ts";
import type { ClaudeClientOptions } from "./claude-options.ts";
import type { Context } from "./context.ts";
import { playClaude } from "./context.ts";
import { span } from "./wire.ts";

const selection = span(1, 0, 2, 3);
const first = { filePath: "/w/first.txt", text: "x", selection: span(0, 0, 0, 1) };

/** A reference client whose handlers are registered and whose selection is `first`. */
async function listening(options: Partial<ClaudeClientOptions> = {}): Promise<Context> {
  const context = await playClaude({ selection: first }, options);
  await context.client.until("hearing", () => context.client.badge);
  return context;
}

/** Sends a notification and waits until the client has read it. */
async function emit({ server, client }: Context, method: string, params: object): Promise<void> {
  const before = client.transcript.received(method).length;
  server.notify(method, params);
  await client.until("read", () => client.transcript.received(method).length > before);
}

verifies(
  [
    "cli:notifications:lines-selected",
    "cli:notifications:line-plus-one",
    "cli:notifications:line-count",
    "cli:notifications:context-role",
  ],
  "a selected text reaches the model with its lines",
  async () => {
    const context = await listening();
    await emit(context, "selection_changed", { filePath: "/w/a.txt", text: "two\nthr", selection });
    expect(context.client.badge).toBe("⧉ 2 lines selected");
    expect(await context.client.prompt("why?")).toMatchObject({
      role: "system",
      context: "The user selected the lines 2 to 3 from /w/a.txt:\ntwo\nthr",
    });
    const whole = { filePath: "/w/a.txt", text: "two\n", selection: span(1, 0, 2, 0) };
    await emit(context, "selection_changed", whole);
    expect(context.client.badge).toBe("⧉ 1 line selected");
    expect((await context.client.prompt()).context).toContain("lines 2 to 2 from");
  },
);

verifies(
  "cli:notifications:old-line-raw",
  "older versions report the 0-based number, as a reminder",
  async () => {
    const context = await listening({ version: "1.0.128" });
    const one = { filePath: "/w/a.txt", text: "two", selection: span(1, 0, 1, 3) };
    await emit(context, "selection_changed", one);
    expect(await context.client.prompt()).toMatchObject({
      role: "user",
      context: expect.stringContaining("lines 1 to 1"),
    });
  },
);

verifies("cli:notifications:text-cut", "the text is cut at 2,000 characters", async () => {
  const context = await listening();
  const text = "y".repeat(3000);
  await emit(context, "selection_changed", { filePath: "/w/a.txt", text, selection });
  expect((await context.client.prompt()).context?.match(/y/g)).toHaveLength(2000);
});

verifies("cli:notifications:file-opened", "a path without text is an open file", async () => {
  const context = await listening();
  for (const text of ["", undefined]) {
    const params = { filePath: "/w/b c.txt", text, selection: span(4, 2, 4, 2) };
    await emit(context, "selection_changed", params);
    expect(context.client.badge).toBe("⧉ In b c.txt");
    expect((await context.client.prompt()).context).toBe(
      "The user opened the file /w/b c.txt in the IDE",
    );
  }
});

verifies("cli:notifications:extra-keys", "extra keys and broken numbers pass", async () => {
  const context = await listening();
  await emit(context, "selection_changed", {
    filePath: "/w/a.txt",
    fileUrl: "file:///w/a.txt",
    text: "q",
    selection: { ...span(1.5, 0, 1.5, 2), isEmpty: false },
  });
  expect(context.client.inbox.context).toMatchObject({ text: "q", startLine: 1.5 });
  expect(context.client.violations).toEqual([]);
});

verifies(
  "cli:notifications:null-selection",
  "a selection of null or none changes nothing",
  async () => {
    const context = await listening();
    await emit(context, "selection_changed", { selection: null });
    await emit(context, "selection_changed", { text: "", filePath: "/w/other.txt" });
    expect(context.client.inbox.context?.filePath).toBe("/w/first.txt");
    expect(context.client.violations).toEqual([]);
  },
);

verifies("cli:notifications:clear", "zero width, no path and no text clear", async () => {
  for (const more of [{}, { text: "" }]) {
    const context = await listening();
    await emit(context, "selection_changed", { ...more, selection: span(0, 0, 0, 0) });
    expect(context.client.badge).toBeUndefined();
    expect((await context.client.prompt()).context).toBeUndefined();
  }
});

verifies("cli:notifications:consumed", "a prompt consumes the selection", async () => {
  const { client } = await listening();
  expect((await client.prompt()).context).toContain("/w/first.txt");
  expect((await client.prompt()).context).toBeUndefined();
});

verifies("cli:notifications:path-as-given", "paths are passed on unchanged", async () => {
  const context = await listening();
  for (const filePath of ["/outside/x.txt", "relative/x.txt", "C:\\w\\x.txt"]) {
    await emit(context, "selection_changed", { filePath, text: "x", selection });
    expect((await context.client.prompt()).context).toContain(`from ${filePath}:`);
  }
});

verifies(
  ["cli:notifications:no-prefix", "cli:notifications:no-effect"],
  "prefixed and unknown methods do nothing",
  async () => {
    const context = await listening();
    const other = { filePath: "/w/other.txt", text: "o", selection };
    await emit(context, "notifications/selection_changed", other);
    await emit(context, "notifications/message", { level: "info", data: "x" });
    await emit(context, "diagnostics_changed", { uris: [] });
    await emit(context, "no_such_thing", {});
    expect(context.client.inbox.context?.filePath).toBe("/w/first.txt");
    expect(context.client.transcript.dropped("unknown-method")).toHaveLength(4);
    expect(context.client.transcript.rules()).toEqual(["prefixed-method"]);
  },
);

verifies("cli:notifications:log-event", "log_event is telemetry", async () => {
  const context = await listening();
  await emit(context, "log_event", { eventName: "x", eventData: {} });
  expect([context.client.promptInput, context.client.violations]).toEqual(["", []]);
  await emit(context, "log_event", { eventName: "x" });
  expect(context.client.transcript.rules()).toEqual(["notification-schema"]);
});

verifies(
  [
    "cli:notifications:mention-text",
    "cli:notifications:mention-lines",
    "cli:notifications:mention-one-line",
    "cli:notifications:mention-read",
  ],
  "a mention types its path and reads its lines",
  async () => {
    const context = await listening();
    const filePath = context.fixture.file("deep/a.txt", "zero\none\ntwo\nthree\n");
    await emit(context, "at_mentioned", { filePath });
    await emit(context, "at_mentioned", { filePath, lineStart: 1, lineEnd: 2 });
    await emit(context, "at_mentioned", { filePath, lineStart: 1, lineEnd: 1 });
    await emit(context, "at_mentioned", { filePath, lineStart: 1 });
    const input = "@deep/a.txt @deep/a.txt#L2-3 @deep/a.txt#L2 @deep/a.txt ";
    expect(context.client.promptInput).toBe(input);
    const { typed, attachments } = await context.client.prompt("explain");
    expect(typed).toBe(`${input}explain`);
    expect(attachments.slice(1, 3)).toEqual(["one\ntwo", "one"]);
    expect(context.client.promptInput).toBe("");
  },
);

verifies(
  [
    "cli:notifications:mention-outside",
    "cli:notifications:mention-spaces",
    "cli:notifications:mention-folder",
  ],
  "invalid places are typed unchanged",
  async () => {
    const context = await listening();
    const { workspace, root } = context.fixture;
    await emit(context, "at_mentioned", { filePath: join(root, "out", "o.txt") });
    await emit(context, "at_mentioned", { filePath: join(workspace, "b c.txt") });
    await emit(context, "at_mentioned", { filePath: workspace });
    expect(context.client.promptInput).toBe("@../out/o.txt @b c.txt @ ");
  },
);

verifies(
  "cli:notifications:null-drops",
  "null in one of four keys drops the notification",
  async () => {
    const context = await listening();
    const whole = { filePath: "/w/a.txt", text: "n", selection };
    await emit(context, "selection_changed", { ...whole, text: null });
    await emit(context, "selection_changed", { ...whole, filePath: null });
    await emit(context, "at_mentioned", { filePath: null });
    await emit(context, "at_mentioned", { filePath: "/w/a.txt", lineStart: null, lineEnd: 3 });
    await emit(context, "at_mentioned", { filePath: "/w/a.txt", lineStart: 3, lineEnd: null });
    expect(context.client.inbox.context?.filePath).toBe("/w/first.txt");
    expect(context.client.promptInput).toBe("");
    expect(context.client.transcript.dropped("null")).toHaveLength(5);
    expect(context.client.transcript.rules()).toEqual(["null-key"]);
  },
);

import { expect, test } from "vitest";
import { joinInMemory } from "../../../testing/join-in-memory.ts";
import type { LegacyRevision } from "../../versions.ts";
import { McpServer } from "../server.ts";
import type { Completer } from "./completer.ts";

const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;

const languages: Completer<string> = (value) =>
  ["python", "pytorch", "ruby"].filter((name) => name.startsWith(value));
const known: Completer<string> = async (_, { arguments: args, context }) => [
  JSON.stringify(args),
  context,
];
const many: Completer<string> = () => Array.from({ length: 250 }, (_, index) => `v${index}`);

const server = new McpServer<string>({ name: "s", version: "1" });
const args = {
  language: { complete: languages },
  known: { complete: known },
  many: { complete: many },
  free: {},
};
server.prompt("code", { arguments: args }, () => []);
server.resource("n://{name}/{+rest}", { name: "n", complete: { name: languages } }, () => "");
const join = (protocolVersion: LegacyRevision = "2025-11-25") =>
  joinInMemory(server, "Ann", { protocolVersion });

const code = { type: "ref/prompt", name: "code" } as const;
const template = { type: "ref/resource", uri: "n://{name}/{+rest}" } as const;

test.each(revisions)(
  "in %s a client completes arguments of prompts and templates",
  async (revision) => {
    const { client } = await join(revision);
    expect("completions" in client.server.capabilities).toBe(revision !== "2024-11-05");
    const python = { values: ["python", "pytorch"], total: 2, hasMore: false };
    expect(await client.complete({ reference: code, argument: "language", value: "py" })).toEqual(
      python,
    );
    expect(await client.complete({ reference: template, argument: "name", value: "py" })).toEqual(
      python,
    );
  },
);

test.each([
  ["2024-11-05", {}],
  ["2025-03-26", {}],
  ["2025-06-18", { language: "ruby" }],
  ["2025-11-25", { language: "ruby" }],
] as const)("in %s settled arguments are sent as %j", async (revision, received) => {
  const { client, recorder } = await join(revision);
  const question = { reference: code, argument: "known", value: "", known: { language: "ruby" } };
  const { values } = await client.complete(question);
  expect(values).toEqual([JSON.stringify(received), "Ann"]);
  expect(recorder.frames.some(({ frame }) => frame.includes('"context":{'))).toBe(
    revision >= "2025-06-18",
  );
});

test("at most a hundred values are returned, with their total number", async () => {
  const { client } = await join();
  const found = await client.complete({ reference: code, argument: "many", value: "" });
  expect(found.values.length).toBe(100);
  expect(found).toMatchObject({ total: 250, hasMore: true });
});

test("an argument without a completer has no values", async () => {
  const { client } = await join();
  const nothing = { values: [], total: 0, hasMore: false };
  expect(await client.complete({ reference: code, argument: "free", value: "" })).toEqual(nothing);
  expect(await client.complete({ reference: template, argument: "rest", value: "" })).toEqual(
    nothing,
  );
});

const argument = { name: "language", value: "" };
test.each([
  [{}, "ref"],
  [{ ref: { type: "ref/prompt", name: "none" }, argument }, "ref"],
  [{ ref: { type: "ref/prompt" }, argument }, "ref"],
  [{ ref: { type: "ref/resource", uri: "n://x" }, argument }, "ref"],
  [{ ref: { type: "ref/other", name: "code" }, argument }, "ref"],
  [{ ref: code }, "argument"],
  [{ ref: code, argument: { name: "language" } }, "argument"],
  [{ ref: code, argument: { name: "language", value: 5 } }, "argument"],
  [{ ref: code, argument: { name: "none", value: "" } }, "argument"],
  [{ ref: code, argument: { name: "__proto__", value: "" } }, "argument"],
])("the request %j is -32602", async (params, about) => {
  const { client } = await join();
  await expect(client.peer.request("completion/complete", params)).rejects.toMatchObject({
    code: -32_602,
    message: expect.stringContaining(`Invalid params: ${about}: `),
  });
});

test("a server without completers is sent a request only in 2024-11-05, and refuses it", async () => {
  const bare = new McpServer({ name: "s", version: "1" });
  for (const protocolVersion of revisions) {
    const { client, recorder } = await joinInMemory(bare, undefined, { protocolVersion });
    const before = recorder.frames.length;
    const completing = client.complete({ reference: code, argument: "language", value: "" });
    const isSent = protocolVersion === "2024-11-05";
    await expect(completing).rejects.toMatchObject({ code: isSent ? -32_602 : "protocol" });
    expect(recorder.frames.length > before).toBe(isSent);
  }
});

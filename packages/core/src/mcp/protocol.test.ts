import { expect, test } from "vitest";
import { joinInMemory } from "../testing/join-in-memory.ts";
import type { ClientFeature } from "./client/feature.ts";
import { mergeCapabilities } from "./protocol.ts";
import { McpServer } from "./server/server.ts";
import type { ServerFeature } from "./server/server-feature.ts";

const info = { name: "s", version: "1" };
const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const skills = { extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } } };

test("two features with extensions are both retained, at either end", async () => {
  const able = (capabilities: object): ServerFeature & ClientFeature => ({
    capabilities: () => ({ ...capabilities }),
  });
  const features = [able(tasks), able(skills)];
  const joined = await joinInMemory(new McpServer({ ...info, features }), undefined, {
    features,
    capabilities: { extensions: { "x.test/own": {} } },
  });
  const both = { ...tasks.extensions, ...skills.extensions };
  expect(joined.client.server.capabilities["extensions"]).toEqual(both);
  expect(joined.connection.clientCapabilities["extensions"]).toEqual({ ...both, "x.test/own": {} });
});

test.each([
  ["of two plain values the last stays", [{ a: 1 }, { a: [2] }], { a: [2] }],
  ["an object and a plain value do not mix", [{ a: { b: 1 } }, { a: true }], { a: true }],
  [
    "objects are merged at any depth",
    [{ a: { b: { c: 1 } } }, { a: { b: { d: 2 } } }],
    { a: { b: { c: 1, d: 2 } } },
  ],
  ["two absent or empty values are empty", [undefined, {}], {}],
] as const)("%s", (_, all, merged) => {
  expect(mergeCapabilities(...all)).toEqual(merged);
});

test("merging does not modify its inputs", () => {
  const first = { a: { b: 1 } };
  mergeCapabilities(first, { a: { c: 2 } });
  expect(first).toEqual({ a: { b: 1 } });
});

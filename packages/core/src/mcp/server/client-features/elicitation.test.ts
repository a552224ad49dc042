import * as v from "valibot";
import { expect, test, vi } from "vitest";
import { jsonSchemaValidator } from "../../../json-schema/index.ts";
import { joinInMemory } from "../../../testing/join-in-memory.ts";
import { settled } from "../../../testing/raw-end.ts";
import {
  type ElicitationOptions,
  elicitation,
  type FormAnswer,
  requiredElicitations,
} from "../../client/elicitation.ts";
import { textResult } from "../../content.ts";
import { findFormFault, formDefaults } from "../../elicitation-form.ts";
import { type LegacyRevision, legacyRevisions } from "../../versions.ts";
import { McpServer } from "../server.ts";
import { completeElicitation, elicit, elicitUrl, urlElicitationRequired } from "./elicitation.ts";

const withForms = ["2025-06-18", "2025-11-25"] as const;
const form = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    age: { type: "integer", minimum: 0, default: 18 },
  },
  required: ["name"],
} as const;
const login = { message: "Log in", url: "https://x.test/login?id=1", elicitationId: "e1" };

const server = new McpServer({ name: "s", version: "1" });
server.tool("ask", {}, async (_, call) => JSON.stringify(await call.ask("Who?", form)));
server.tool("private", {}, (_, call) => {
  throw call.urlsRequired([login]);
});

function join(
  options: ElicitationOptions | undefined,
  protocolVersion: LegacyRevision = "2025-11-25",
) {
  const features = options === undefined ? [] : [elicitation(options)];
  const errors: Error[] = [];
  const onerror = (error: Error) => void errors.push(error);
  return joinInMemory(server, undefined, { protocolVersion, features, onerror }).then((joined) => ({
    ...joined,
    errors,
  }));
}

const accept = (content: FormAnswer & { action: "accept" }): FormAnswer => content;
const ann = () => accept({ action: "accept", content: { name: "Ann" } });

test.each(withForms)("in %s a tool asks the person by a form", async (revision) => {
  const show = vi.fn(async () => ann());
  const { client, recorder } = await join({ form: show, validator: jsonSchemaValidator }, revision);
  expect(await client.callTool("ask")).toEqual(
    textResult('{"action":"accept","content":{"age":18,"name":"Ann"}}'),
  );
  expect(show).toHaveBeenCalledWith(
    expect.objectContaining({
      message: "Who?",
      schema: form,
      defaults: { age: 18 },
    }),
    expect.anything(),
    client.session,
  );
  const asked = recorder.frames.find(({ frame }) => frame.includes("elicitation/create"));
  expect(asked?.frame.includes('"mode":"form"')).toBe(revision === "2025-11-25");
});

test.each(["decline", "cancel"] as const)("a person may %s", async (action) => {
  const { connection } = await join({ form: () => ({ action }) });
  expect(await elicit({ caller: connection }, "Who?", form)).toEqual({ action });
});

const both: ElicitationOptions = { form: ann, url: () => ({ action: "accept" }) };
test.each([
  ["2024-11-05", both, {}],
  ["2025-03-26", both, {}],
  ["2025-06-18", both, { elicitation: {} }],
  ["2025-06-18", { url: () => ({ action: "accept" as const }) }, {}],
  ["2025-11-25", both, { elicitation: { form: {}, url: {} } }],
  ["2025-11-25", { form: ann }, { elicitation: { form: {} } }],
] as const)("in %s %j is announced as %j", async (revision, options, capabilities) => {
  const { connection } = await join(options, revision);
  expect(connection.clientCapabilities).toEqual(capabilities);
});

test("elicitation without form and url is refused", () => {
  expect(() => elicitation({})).toThrow("elicitation needs form, url or both");
});

const urlOnly: ElicitationOptions = { url: () => ({ action: "accept" }) };
test.each([
  ["2024-11-05", both, ["form", "url"]],
  ["2025-03-26", both, ["form", "url"]],
  ["2025-06-18", both, ["url"]],
  ["2025-11-25", undefined, ["form", "url"]],
  ["2025-11-25", { form: ann }, ["url"]],
  ["2025-11-25", urlOnly, ["form"]],
] as const)("in %s a client that supports %j is not sent %j", async (revision, options, modes) => {
  const { connection, recorder } = await join(options, revision);
  const before = recorder.frames.length;
  const refusal = { code: "protocol" };
  if ((modes as readonly string[]).includes("form")) {
    await expect(elicit({ caller: connection }, "?", form)).rejects.toMatchObject(refusal);
  }
  if ((modes as readonly string[]).includes("url")) {
    await expect(elicitUrl({ caller: connection }, login)).rejects.toMatchObject(refusal);
    expect(() => completeElicitation(connection, "e1")).toThrow(expect.objectContaining(refusal));
    expect(() => urlElicitationRequired(connection, [login])).toThrow(
      expect.objectContaining(refusal),
    );
  }
  expect(recorder.frames.length).toBe(before);
});

test("an empty elicitation capability means forms", async () => {
  const { connection } = await joinInMemory(server, undefined, {
    capabilities: { elicitation: {} },
    features: [
      {
        capabilities: () => ({}),
        requests: { "elicitation/create": () => ({ action: "cancel" }) },
      },
    ],
  });
  expect(await elicit({ caller: connection }, "?", form)).toEqual({ action: "cancel" });
});

test("an invalid answer is stopped by a client with a validator, or else refused by the server", async () => {
  const wrong = () => accept({ action: "accept", content: { name: "", age: -1 } });
  const checking = await join({ form: wrong, validator: jsonSchemaValidator });
  await expect(elicit({ caller: checking.connection }, "?", form)).rejects.toMatchObject({
    code: -32_603,
  });
  expect(checking.errors[0]?.message).toContain("The answer does not match the form: ");
  const careless = await join({ form: wrong });
  await expect(elicit({ caller: careless.connection }, "?", form)).rejects.toMatchObject({
    code: "protocol",
    message: expect.stringContaining("name: String is too short"),
  });
});

test("a form may be checked while the person fills it in", async () => {
  const { connection } = await join({
    validator: jsonSchemaValidator,
    form: ({ check }) => {
      expect([check({}).ok, check({ name: "Bob" }).ok]).toEqual([false, true]);
      return { action: "accept", content: { name: "Bob", age: 2 } };
    },
  });
  expect(await elicit({ caller: connection }, "?", form)).toMatchObject({
    content: { name: "Bob", age: 2 },
  });
});

test.each([[undefined], [{}], [{ action: "yes" }], ["accept"]])(
  "the answer %j is invalid",
  async (answer) => {
    const { connection } = await join({ form: ann, url: () => answer as never });
    await expect(elicitUrl({ caller: connection }, login)).rejects.toMatchObject({
      code: "protocol",
    });
  },
);

test("an elicitation without an id is given one where the revision has them", async () => {
  const url = vi.fn(() => ({ action: "accept" as const }));
  const { connection } = await join({ url });
  const { message, url: address } = login;
  for (const _ of [1, 2]) await elicitUrl({ caller: connection }, { message, url: address });
  const ids = (url.mock.calls as unknown as { elicitationId: string }[][]).map(
    ([asked]) => asked?.elicitationId,
  );
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.any(String)]);
  expect(ids[0]).not.toBe(ids[1]);
});

test("a person visits a URL, and the client is notified once when they are done", async () => {
  const done = vi.fn();
  const url = vi.fn<NonNullable<ElicitationOptions["url"]>>(({ elicitationId }, _, client) => {
    client.onElicitationComplete(elicitationId ?? "", done);
    return { action: "accept" };
  });
  const { connection } = await join({ url });
  expect(await elicitUrl({ caller: connection }, login)).toEqual({ action: "accept" });
  expect(url.mock.calls[0]?.[0]).toEqual(login);
  completeElicitation(connection, "another");
  await settled();
  expect(done).not.toHaveBeenCalled();
  completeElicitation(connection, "e1");
  completeElicitation(connection, "e1");
  await settled();
  expect(done).toHaveBeenCalledTimes(1);
});

test("a request that needs a visit to a URL is refused with -32042 and the URL", async () => {
  const { client } = await join(both);
  const error: unknown = await client.callTool("private").catch((refusal: unknown) => refusal);
  expect(error).toMatchObject({
    code: -32_042,
    message: "Log in",
    data: { elicitations: [{ mode: "url", ...login }] },
  });
  expect(requiredElicitations(error)).toMatchObject([login]);
  expect(requiredElicitations(new Error("other"))).toBe(undefined);
});

test.each(["javascript:alert(1)", "file:///etc/passwd", "x", "", "https://"])(
  "%j is not a URL for a person, at either end",
  async (url) => {
    const { connection } = await join(both);
    await expect(elicitUrl({ caller: connection }, { ...login, url })).rejects.toMatchObject({
      code: "invalid-argument",
    });
    const params = { mode: "url", ...login, url };
    await expect(connection.peer.request("elicitation/create", params)).rejects.toMatchObject({
      code: -32_602,
    });
  },
);

test.each([
  [undefined, "message"],
  [{ message: 5 }, "message"],
  [{ message: "m", mode: "voice" }, "mode"],
  [{ message: "m", mode: "url", url: "https://x.test", elicitationId: "1" }, "mode"],
  [{ message: "m" }, "requestedSchema"],
  [
    { message: "m", requestedSchema: { type: "object", properties: { a: { type: "object" } } } },
    "a",
  ],
])("a server that asks with %j is refused with -32602", async (params, about) => {
  const { connection } = await join({ form: ann });
  await expect(connection.peer.request("elicitation/create", params)).rejects.toMatchObject({
    code: -32_602,
    message: expect.stringContaining(about),
  });
});

test.each(["2024-11-05", "2025-03-26"] as const)(
  "in %s elicitation/create is unknown",
  async (revision) => {
    const { connection } = await join(both, revision);
    await expect(
      connection.peer.request("elicitation/create", { message: "m" }),
    ).rejects.toMatchObject({ code: -32_601 });
  },
);

const titled = [{ const: "a", title: "A" }];
const fields: readonly [object, boolean, boolean][] = [
  [{ type: "string" }, true, true],
  [{ type: "string", format: "email", minLength: 1, default: "x" }, true, true],
  [{ type: "string", format: "uuid" }, false, false],
  [{ type: "string", enum: ["a", "b"], enumNames: ["A", "B"] }, true, true],
  [{ type: "string", enum: [1] }, false, false],
  [{ type: "string", oneOf: titled }, false, true],
  [{ type: "string", oneOf: ["a"] }, false, false],
  [{ type: "number", minimum: 1 }, true, true],
  [{ type: "integer" }, true, true],
  [{ type: "boolean", default: true }, true, true],
  [{ type: "array", items: { type: "string", enum: ["a"] } }, false, true],
  [{ type: "array", items: { anyOf: titled } }, false, true],
  [{ type: "array", items: { type: "string" } }, false, false],
  [{ type: "object" }, false, false],
  [{ type: ["string", "null"] }, false, false],
  [{ $ref: "#/$defs/a" }, false, false],
  [{}, false, false],
];

test.each(fields)(
  "a field %j is of a form in 2025-06-18: %s, in 2025-11-25: %s",
  (field, third, fourth) => {
    const schema = { type: "object", properties: { field } };
    expect(findFormFault(schema, legacyRevisions["2025-06-18"]) === undefined).toBe(third);
    expect(findFormFault(schema, legacyRevisions["2025-11-25"]) === undefined).toBe(fourth);
  },
);

test.each([undefined, null, {}, { type: "string" }, { type: "object" }, []])(
  "%j is not a form",
  (schema) => {
    expect(findFormFault(schema, legacyRevisions["2025-11-25"])).toContain("expected a form");
  },
);

test("a form that the revision does not support is not sent", async () => {
  const { connection } = await join({ form: ann }, "2025-06-18");
  const list = { type: "array", items: { enum: ["a"] } } as const;
  const lists = { type: "object", properties: { list } } as const;
  await expect(elicit({ caller: connection }, "?", lists)).rejects.toMatchObject({
    code: "invalid-argument",
  });
});

test("a form by valibot works, including choices", async () => {
  const choice = v.object({
    how: v.picklist(["fast", "well"]),
    mail: v.pipe(v.string(), v.email()),
  });
  const content = { how: "well", mail: "a@b.test" };
  const { connection } = await join({ form: () => accept({ action: "accept", content }) });
  expect(await elicit({ caller: connection }, "?", choice)).toEqual({
    action: "accept",
    content,
  });
});

test("the defaults are those of the fields", () => {
  const properties = { a: { default: 1 }, b: {}, c: { default: ["x"] }, d: 5 };
  expect(formDefaults({ properties })).toEqual({ a: 1, c: ["x"] });
  expect(formDefaults({})).toEqual({});
});

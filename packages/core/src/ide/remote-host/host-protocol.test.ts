import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import * as v from "valibot";
import { expect, test } from "vitest";
import { isObject } from "../../rpc/message.ts";
import { shareLevels } from "../share-policy.ts";
import * as HostMethod from "./host-method.ts";
import * as wire from "./wire-calls.ts";
import { checked } from "./wire-fault.ts";
import { helloSchema, stateSchema } from "./wire-state.ts";

// Plugins in other languages are written from this page and the schema file.
// After an intended change: npx vitest run --project core host-protocol -u

const docs = new URL("../../../../../docs/reference/", import.meta.url);
const page = readFileSync(new URL("host-protocol.md", docs), "utf8");

interface Shape {
  readonly params: GenericSchema;
  readonly result?: GenericSchema;
}

const anything = v.unknown();
const text = v.string();
const integer = v.pipe(v.number(), v.integer());
const endpoint = { dialect: text, port: integer, url: text, lockFile: text };
const otherEndpoint = {
  ...{ dialect: text, kind: text, url: text },
  ...{ port: v.exactOptional(integer), socketPath: v.exactOptional(text) },
  lockFile: v.exactOptional(text),
};

/** The notifications from `idewire host`. */
const received: Readonly<Record<string, Shape>> = {
  [HostMethod.Problem]: { params: v.object({ message: text }) },
  [HostMethod.Listening]: {
    params: v.object({
      endpoints: v.array(v.object(endpoint)),
      otherEndpoints: v.exactOptional(v.array(v.object(otherEndpoint))),
      folders: v.array(v.object({ path: text })),
      share: v.object({ level: v.picklist(shareLevels), exclude: v.array(text) }),
      joined: v.exactOptional(v.boolean()),
    }),
  },
  [HostMethod.Agents]: {
    params: v.object({
      agents: v.array(
        v.object({
          session: text,
          name: v.exactOptional(text),
          title: v.exactOptional(text),
          version: v.exactOptional(text),
          dialect: text,
          pid: v.exactOptional(integer),
        }),
      ),
    }),
  },
  [HostMethod.Warning]: {
    params: v.object({ code: text, message: text, path: v.exactOptional(text) }),
  },
  [HostMethod.Written]: {
    params: v.object({ path: text, session: v.exactOptional(text), reviewed: v.boolean() }),
  },
};

const fromEditor: Readonly<Record<string, Shape>> = {
  [HostMethod.Hello]: { params: helloSchema, result: v.object({ protocol: v.literal(1) }) },
  [HostMethod.State]: { params: stateSchema },
  [HostMethod.DiagnosticsChanged]: { params: wire.diagnosticsChangedParams },
  [HostMethod.Mention]: { params: wire.mentionParams, result: wire.mentionResult },
  [HostMethod.Share]: { params: wire.shareParams, result: wire.shareResult },
  [HostMethod.Sent]: { params: wire.sentParams, result: wire.sentResult },
};

const toEditor: Readonly<Record<string, Shape>> = {
  [HostMethod.Read]: { params: wire.pathParams, result: wire.readResult },
  [HostMethod.Reveal]: { params: wire.revealParams, result: anything },
  [HostMethod.Select]: { params: wire.selectParams, result: anything },
  [HostMethod.OpenDiff]: { params: wire.openDiffParams, result: wire.openDiffResult },
  [HostMethod.CloseDiff]: { params: wire.closeDiffParams, result: wire.closeDiffResult },
  [HostMethod.Diagnostics]: { params: wire.diagnosticsParams, result: wire.diagnosticsResult },
  [HostMethod.Save]: { params: wire.pathParams, result: wire.saveResult },
  [HostMethod.Format]: { params: wire.pathParams, result: anything },
  [HostMethod.CloseTab]: { params: wire.closeTabParams, result: wire.closeTabResult },
  ...received,
};

const shapes: Readonly<Record<string, Shape>> = { ...fromEditor, ...toEditor };

function toJson(schema: GenericSchema): object {
  const { $schema: _, ...body } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "input",
  });
  return body;
}

function describe(methods: Readonly<Record<string, Shape>>): object {
  return Object.fromEntries(
    Object.entries(methods).map(([method, { params, result }]) => [
      method,
      { params: toJson(params), ...(result !== undefined && { result: toJson(result) }) },
    ]),
  );
}

test("the schema file matches the checks of the code", async () => {
  const schema = {
    $comment: "The methods of the host protocol, each with JSON Schema (draft 2020-12)",
    fromEditor: describe(fromEditor),
    toEditor: describe(toEditor),
  };
  const file = fileURLToPath(new URL("host-protocol.schema.json", docs));
  await expect(`${JSON.stringify(schema, undefined, 2)}\n`).toMatchFileSnapshot(file);
});

test("the page has a row for every method, and no other", () => {
  const rows = [...page.matchAll(/^\| `(host\/\w+)`/gm)].map(([, method]) => method);
  expect(rows.sort()).toEqual(Object.keys(shapes).sort());
  expect(Object.values(HostMethod).sort()).toEqual(Object.keys(shapes).sort());
});

test("the messages of the page match the schemas", () => {
  const messages = [...page.matchAll(/^[<>] (\{.*\})$/gm)].map(([, line = ""]) => JSON.parse(line));
  expect(messages.length).toBeGreaterThan(8);
  const asked = new Map<unknown, Shape>();
  for (const message of messages) {
    expect(message.jsonrpc).toBe("2.0");
    const shape = shapes[message.method] ?? asked.get(message.id);
    if (shape === undefined) throw new Error(`no shape for ${JSON.stringify(message)}`);
    if (isObject(message.params)) checked(shape.params, message.params, "params");
    if (message.id !== undefined && message.method !== undefined) asked.set(message.id, shape);
    if (message.result !== undefined) checked(shape.result ?? anything, message.result, "result");
  }
});

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as core from "@idewire/core";
import { jsonSchemaValidator } from "@idewire/core/json-schema";
import { beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../src/reference/facts.ts";
import {
  type CapturedDialect,
  captureAll,
  formatPages,
  type Page,
} from "../src/reference/pages.ts";
import { isObject } from "../src/reference-clients/wire.ts";

const folder = fileURLToPath(new URL("../../docs/reference/protocol/", import.meta.url));

let captured: readonly CapturedDialect[];
let pages: readonly Page[];

beforeAll(async () => {
  captured = await captureAll();
  pages = formatPages(captured);
});

// After an intended change: npm run reference
describe("the reference pages", () => {
  test.each(["README.md", ...dialects.map(({ dialect }) => `${dialect.id}.md`)])(
    "docs/reference/protocol/%s matches the catalogue and our server",
    async (name) => {
      const text = pages.find((page) => page.name === name)?.text;
      expect(text).toBeDefined();
      await expect(text).toMatchFileSnapshot(`${folder}${name}`);
    },
  );

  test("are the only files in their folder", () => {
    expect(readdirSync(folder).sort()).toEqual(pages.map(({ name }) => name).sort());
  });

  test("cover every dialect that core exports", () => {
    const isDialect = (value: unknown) => isObject(value) && "encodeState" in value;
    const exported = Object.entries(core).filter(([, value]) => isDialect(value));
    expect(exported.map(([name]) => name).sort()).toEqual(dialects.map(({ name }) => name).sort());
  });
});

describe("their examples", () => {
  test("are accepted: each call by a result that matches its schema", () => {
    for (const { tools } of captured) {
      for (const { description, exchanges } of tools) {
        const schema = description["inputSchema"] as Readonly<Record<string, unknown>>;
        const validate = jsonSchemaValidator.compile(schema);
        expect(exchanges.length).toBeGreaterThan(0);
        for (const { request, answer } of exchanges) {
          const { arguments: args } = request.params as { readonly arguments: unknown };
          expect(validate(args)).toMatchObject({ ok: true });
          expect([description["name"], answer]).not.toMatchObject([
            description["name"],
            { result: { isError: true } },
          ]);
          expect(answer.error).toBeUndefined();
        }
      }
    }
  });

  test("include every notification of the dialects, each matching its schema", () => {
    for (const { events } of captured) {
      for (const { facts, examples } of events) {
        const validate = jsonSchemaValidator.compile(facts.schema);
        expect(examples.length).toBeGreaterThan(0);
        for (const { frame } of examples) {
          expect(frame.id).toBeUndefined();
          expect([facts.method, validate(frame.params)]).toMatchObject([
            facts.method,
            { ok: true },
          ]);
        }
      }
    }
  });
});

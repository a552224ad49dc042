import { expect, test } from "vitest";
import { readServerSettings } from "../providers.ts";
import { nestSettings, sectionOf } from "./settings.ts";

const SCHEMAS = { "https://example.org/a.b.json": ["*.yaml"] };

test.each([
  [{ yaml: { schemas: SCHEMAS } }, "as sections"],
  [{ "yaml.schemas": SCHEMAS }, "with dots in the outermost names"],
  [{ "yaml.format": {}, yaml: { schemas: SCHEMAS } }, "both"],
  [{ yaml: { format: {} }, "yaml.schemas": SCHEMAS }, "both, the other way round"],
])("equivalent settings give a server the same answer: %j, %s", (written, _how) => {
  const settings = nestSettings(written);
  expect(sectionOf(settings, "yaml.schemas")).toEqual(SCHEMAS);
  expect(sectionOf(settings, "yaml")).toMatchObject({ schemas: SCHEMAS });
  expect(sectionOf(settings, undefined)).toMatchObject({ yaml: { schemas: SCHEMAS } });
});

test.each(["http", "yaml.nope", "yaml.schemas.deep", "constructor", "yaml.toString", "__proto__"])(
  "a missing section is null: %s",
  (section) => {
    expect(sectionOf(nestSettings({ "yaml.schemas": "none" }), section)).toBeNull();
  },
);

test("false and null are ordinary settings", () => {
  const settings = nestSettings({ "yaml.validate": false, "yaml.custom": null });
  expect(sectionOf(settings, "yaml.validate")).toBe(false);
  expect(sectionOf(settings, "yaml")).toEqual({ validate: false, custom: null });
});

test.each([
  '{"__proto__.spoilt": 1}',
  '{"__proto__": {"spoilt": 1}}',
  '{"a": {}, "a.__proto__": {"spoilt": 1}, "a.__proto__.spoilt": 1}',
  '{"constructor.prototype.spoilt": 1}',
])("no setting's name reaches inherited properties: %s", (text) => {
  const settings = nestSettings(JSON.parse(text));
  expect({}).not.toHaveProperty("spoilt");
  expect(JSON.stringify(settings)).toContain("spoilt");
});

test("a settings file may contain comments and a trailing comma", async () => {
  const text = '{\n  // our schema\n  "yaml.schemas": {"./a.json": "*.yaml"},\n}\n';
  expect(await readServerSettings(text)).toEqual({ "yaml.schemas": { "./a.json": "*.yaml" } });
});

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', /line 3: .*comma/i],
  ["", /a value is expected/i],
  ["[1]", "expected an object, got a list"],
  ['"yaml"', "expected an object, got string"],
  ["[".repeat(100_000), /levels/],
])("invalid settings are refused with their position: %#", async (text, words) => {
  await expect(readServerSettings(text)).rejects.toThrow(words);
});

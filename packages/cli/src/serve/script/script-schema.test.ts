import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandSchema, eventSchema } from "./script-schema.ts";

test("its page has the schema of both directions, as the code checks them", () => {
  const readme = readFileSync(
    new URL("../../../../../docs/command/script.md", import.meta.url),
    "utf8",
  );
  const blocks = [...readme.matchAll(/```json\n(.*?)```/gs)].map(
    ([, block = ""]) => JSON.parse(block) as unknown,
  );
  expect(blocks).toEqual([commandSchema, eventSchema]);
});

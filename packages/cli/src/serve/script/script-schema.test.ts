import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandSchema, eventSchema } from "./script-schema.ts";

test("its page contains the schema of both directions that the code checks", () => {
  const readme = readFileSync(
    new URL("../../../../../docs/reference/script.md", import.meta.url),
    "utf8",
  );
  const blocks = [...readme.matchAll(/```json\n(.*?)```/gs)].map(
    ([, block = ""]) => JSON.parse(block) as unknown,
  );
  expect(blocks).toEqual([commandSchema, eventSchema]);
});

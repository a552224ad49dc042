import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import { expect, test } from "vitest";
import { findPatternFault } from "../pattern/pattern.ts";
import { parseScenario } from "./parse.ts";
import { actionSchemas, agentSchemas, expectationSchemas, headerSchema } from "./schema.ts";

// After an intended change: npx vitest run --project devtools scenario/file/docs -u

const docs = new URL("../../../../../docs/reference/", import.meta.url);
const page = readFileSync(new URL("scenarios.md", docs), "utf8");

function toJson(schema: GenericSchema): object {
  const { $schema: _, ...body } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "input",
  });
  return body;
}

test("the schema file matches the code", async () => {
  const steps = [actionSchemas, agentSchemas, expectationSchemas].flatMap((each) => {
    return Object.values<GenericSchema>(each);
  });
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "One line of a scenario",
    oneOf: [headerSchema, ...steps].map(toJson),
  };
  const file = fileURLToPath(new URL("scenario.schema.json", docs));
  await expect(`${JSON.stringify(schema, undefined, 2)}\n`).toMatchFileSnapshot(file);
});

/** The names in the first column of the table under a heading. */
function namesUnder(heading: string): readonly string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].slice(1);
  return cells.flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name ?? ""),
  );
}

test("the page documents every member of the header, every action and every expectation", () => {
  const { entries } = headerSchema as unknown as { readonly entries: object };
  const members = Object.keys(entries).filter((name) => name !== "note");
  const header = page.split("\n## The header\n")[1]?.split("\n## ")[0] ?? "";
  const named = [...header.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(members.sort());
  expect([...namesUnder("What the editor and the person do")].sort()).toEqual(
    Object.keys(actionSchemas).sort(),
  );
  expect([...namesUnder("What a simulated agent does")].sort()).toEqual(
    Object.keys(agentSchemas).sort(),
  );
  expect([...namesUnder("What the agent is expected to do")].sort()).toEqual(
    Object.keys(expectationSchemas).sort(),
  );
});

test("the scenario and the patterns of the page are valid", () => {
  const [, example = ""] = /```jsonl\n(.*?)```/s.exec(page) ?? [];
  expect(parseScenario(example)).toMatchObject({ ok: true });
  const patterns = [...page.matchAll(/^\| `(\{"\$.*\})` \|/gm)].map(([, text = ""]) =>
    JSON.parse(text.replaceAll("[…]", "[1]").replaceAll("…", "1")),
  );
  expect(patterns.map(findPatternFault)).toEqual(Array(9).fill(undefined));
});

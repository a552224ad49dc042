import { readFileSync } from "node:fs";
import { jsonSchemaValidator } from "@idewire/core/json-schema";
import { expect, test } from "vitest";
import { makeAnchor } from "../anchors/store/make-anchor.ts";
import { outlineOf } from "../anchors/store/outline.ts";
import { reader } from "../anchors/testing/follow.ts";
import { extensionFile, legacyFile, playgroundFile, serverFile } from "./fixtures/dialects.ts";
import { readDocument } from "./read-document.ts";
import { writeDocument } from "./write-document.ts";

const schema = new URL("../../../../docs/reference/comments-file.schema.json", import.meta.url);
const check = jsonSchemaValidator.compile(JSON.parse(readFileSync(schema, "utf8")));

test.each([
  ["server", serverFile],
  ["extension", extensionFile],
  ["playground", playgroundFile],
  ["legacy", legacyFile],
])("a written file of the %s dialect matches the schema in docs", async (_, file) => {
  const result = readDocument(JSON.stringify(file), "src/a.ts", 1_800_000_000_000);
  if (!result.ok) throw new Error(result.damage.parseError);
  const tree = await reader.read("a.js", "one();\n\ntwo(`\n`);\nthree();\n");
  const tracking = makeAnchor(tree, { line: 2, endLine: 4 });
  const ghostMarkers = result.document.ghostMarkers.map((marker) => ({ ...marker, tracking }));
  const document = { ...result.document, ghostMarkers, outline: outlineOf(tree) };
  for (const options of [{}, { forOriginal: { hashLine: () => "0" } }]) {
    const written = JSON.parse(writeDocument(document, options));
    expect(check(written)).toMatchObject({ ok: true });
    expect(check({ ...written, comments: [{ id: "7" }] })).toMatchObject({ ok: false });
  }
});

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkGroups, checks, groupOf } from "@idewire/devtools/internal";
import { expect, test } from "vitest";
import { formatCheckCatalogue } from "../src/reference/check-catalogue.ts";

const page = fileURLToPath(new URL("../../docs/reference/checks.md", import.meta.url));

// After a change that is meant: npm run reference
test("docs/reference/checks.md matches the list of checks", async () => {
  await expect(formatCheckCatalogue()).toMatchFileSnapshot(page);
});

test("every check is listed there once, with a rule that is a sentence and a source", () => {
  const text = readFileSync(page, "utf8");
  for (const check of checks) {
    expect(text.split(`| ${check.id} `).length).toBe(2);
    expect(check.rule).toMatch(/^\S.*\.$/);
    expect(check.source).not.toBe("");
    expect(Object.keys(checkGroups)).toContain(groupOf(check));
  }
});

test("ids count from 1 in each group, without a gap", () => {
  for (const group of Object.keys(checkGroups)) {
    const ids = checks.filter((check) => groupOf(check) === group).map(({ id }) => id);
    const counted = ids.map((_, index) => `IDE-${group}-${String(index + 1).padStart(3, "0")}`);
    expect(ids).toEqual(counted);
  }
});

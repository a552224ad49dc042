import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  checkGroups,
  checks,
  groupOf,
  serverChecks,
  toSourceLinks,
} from "@idewire/devtools/internal";
import { expect, test } from "vitest";
import { formatCheckCatalogue, formatServerCatalogue } from "../src/reference/check-catalogue.ts";

const page = fileURLToPath(new URL("../../docs/reference/checks.md", import.meta.url));
const serverPage = fileURLToPath(new URL("../../docs/reference/server-checks.md", import.meta.url));

// After an intended change: npm run reference
test("docs/reference/checks.md matches the list of checks", async () => {
  await expect(formatCheckCatalogue()).toMatchFileSnapshot(page);
});

test("docs/reference/server-checks.md matches the list of checks of MCP servers", async () => {
  await expect(formatServerCatalogue()).toMatchFileSnapshot(serverPage);
});

test("every check is listed there once, with a rule that is a sentence and a source", () => {
  const text = readFileSync(page, "utf8") + readFileSync(serverPage, "utf8");
  for (const check of [...checks, ...serverChecks]) {
    expect(text.split(`| ${check.id} `).length).toBe(2);
    expect(check.rule).toMatch(/^\S.*\.$/);
    expect(check.source).not.toBe("");
    expect(Object.keys(checkGroups)).toContain(groupOf(check));
  }
});

test("ids count from 1 in each group, without a gap", () => {
  for (const group of Object.keys(checkGroups)) {
    for (const [prefix, catalogue] of Object.entries({ IDE: checks, MCP: serverChecks })) {
      const ids = catalogue.filter((check) => groupOf(check) === group).map(({ id }) => id);
      const counted = ids.map(
        (_, index) => `${prefix}-${group}-${String(index + 1).padStart(3, "0")}`,
      );
      expect(ids).toEqual(counted);
    }
  }
});

test("every rule for servers names its revision and its page, and links to it", () => {
  for (const { id, source } of serverChecks) {
    expect(source, id).toMatch(/^(?:MCP \d{4}-\d\d-\d\d, \w|JSON-RPC|RFC)/);
    for (const { text, url } of toSourceLinks(source)) {
      expect(url, `${id}: ${text}`).toMatch(/^https:\/\/[\w.-]+\/[\w./#-]+$/);
    }
  }
});

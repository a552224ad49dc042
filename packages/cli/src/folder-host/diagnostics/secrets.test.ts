import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import type { Diagnostic } from "@idewire/core";
import { beforeEach, describe, expect, test } from "vitest";
import { useFolder } from "../../../../../tests/src/folder-fixture.ts";

const START = { line: 0, character: 0 };
const GIVEN: Diagnostic = {
  range: { start: START, end: START },
  severity: "error",
  message: "hunter2secret is weak",
};

const at = useFolder();
const { pathOf } = at;

describe("a message never quotes the file", () => {
  test.each([
    ["yaml", "a: *hunter2secret\n"],
    ["yaml", "hunter2secret: 1\nhunter2secret: 2\n"],
    ["yaml", "%YAML hunter2secret\n---\na: 1\n"],
    ["yaml", "a: !hunter2secret! x\n"],
    ["yaml", "a: !u!hunter2secret x\n"],
    ["yaml", "a: !<hunter2secret x\n"],
    ["yaml", 'a: "\\hunter2secret"\n'],
    ["yaml", 'a: "\\uhunter2secret"\n'],
    ["yaml", "a: |hunter2secret\n  b\n"],
    ["yaml", "a: [1] hunter2secret\n"],
    ["yaml", "a: 'b' hunter2secret\n"],
    ["yaml", "a: %hunter2secret\n"],
    ["yaml", "a: @hunter2secret\n"],
    ["yaml", "[1]\nhunter2secret\n"],
    ["yaml", "--- a\n... hunter2secret\n"],
    ["yaml", "a: &hunter2secret &b 1\n"],
    ["json", '{"a": hunter2secret}'],
    ["json", '{hunter2secret: "a"}'],
    ["json", '{"a": "\\hunter2secret"}'],
    ["json", "{} hunter2secret"],
    ["json", '{"hunter2secret'],
  ])("of %s: %j", async (extension, text) => {
    const path = pathOf(`a.${extension}`);
    await writeFile(path, text);
    const found = (await at.host.diagnostics?.(path))?.[0]?.diagnostics ?? [];
    expect(found).not.toHaveLength(0);
    for (const { message } of found) {
      expect(message).not.toMatch(/hunter|\\[hu]|[%@|]/);
      expect(message).toMatch(/^[A-Z].{10}/);
    }
  });
});

describe("of a secret that a link leads to", () => {
  beforeEach(async () => {
    await mkdir(pathOf(".git"));
    await writeFile(pathOf(".env.yaml"), "a: *hunter2secret\n");
    await writeFile(pathOf(".git/config.json"), "{");
    await symlink(".env.yaml", pathOf("env.yaml"));
    await symlink(".git", pathOf("git"));
  });

  test("is not reported on request; other links are", async () => {
    for (const name of ["env.yaml", "git/config.json"]) {
      const path = pathOf(name);
      expect(await at.host.diagnostics?.(path)).toEqual([{ path, diagnostics: [] }]);
    }
    await writeFile(pathOf("plain.json"), "{");
    await symlink("plain.json", pathOf("link.json"));
    const path = pathOf("link.json");
    expect(await at.host.diagnostics?.(path)).toMatchObject([{ path, diagnostics: [{}] }]);
  });

  test("is not reported in the answer for the folder, not even diagnostics of others", async () => {
    const secrets = ["env.yaml", "git/config.json"].map(pathOf);
    at.host.setDiagnostics(secrets.map((path) => ({ path, diagnostics: [GIVEN] })));
    for (const path of secrets) await at.host.open(path);
    expect(await at.host.diagnostics?.()).toEqual(
      secrets.map((path) => ({ path, diagnostics: [] })),
    );
    expect(await at.host.diagnostics?.(pathOf("env.yaml"))).toMatchObject([{ diagnostics: [] }]);
  });

  test("is no longer reported once the link leads there", async () => {
    const path = pathOf("later.yaml");
    await writeFile(path, "a: *x\n");
    expect(await at.host.diagnostics?.(path)).toMatchObject([
      { diagnostics: [{ source: "yaml" }] },
    ]);
    await rm(path);
    await symlink(".env.yaml", path);
    expect(await at.host.diagnostics?.(path)).toEqual([{ path, diagnostics: [] }]);
    expect(await at.host.diagnostics?.()).toContainEqual({ path, diagnostics: [] });
  });
});

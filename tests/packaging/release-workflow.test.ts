import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const folder = fileURLToPath(new URL("../../.github/workflows/", import.meta.url));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly on: { readonly push: { readonly tags?: readonly string[] } };
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly permissions: unknown; readonly steps: Step[] }>
  >;
}

const workflow = (name: string) => parse(readFileSync(`${folder}${name}`, "utf8")) as Workflow;

/** What Obsidian installs, and nothing else. */
const files = ["main.js", "manifest.json", "styles.css"];

describe("the release of the plugin", () => {
  const { on, permissions, jobs } = workflow("release.yml");
  const steps = jobs["plugin"]?.steps ?? [];
  const index = (of: (step: Step) => unknown) => steps.findIndex((step) => Boolean(of(step)));

  test("starts from a tag that is a version, which the manifest has to have", () => {
    expect(on.push.tags).toEqual(["[0-9]+.[0-9]+.[0-9]+"]);
    const check = index(({ run }) => run?.includes('"./manifest.json").version'));
    expect(check).toBeGreaterThan(0);
    expect(check).toBeLessThan(index(({ run }) => run === "npm run build"));
  });

  test("attests exactly the files that it publishes, after they were tested and built", () => {
    const attest = index(({ uses }) => uses?.startsWith("actions/attest-build-provenance@"));
    expect(steps[attest]?.with?.["subject-path"]?.trim().split("\n")).toEqual(files);
    const publish = index(({ run }) => run?.startsWith("gh release create"));
    expect(steps[publish]?.run).toMatch(new RegExp(`--draft .* ${files.join(" ")}$`));
    const order = [".ci/run", "npm run build"].map((run) => index((step) => step.run === run));
    expect([...order, attest, publish]).toEqual([...order, attest, publish].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  test("may do only what it needs", () => {
    expect(permissions).toEqual({});
    expect(jobs["plugin"]?.permissions).toEqual({
      contents: "write",
      "id-token": "write",
      attestations: "write",
    });
    for (const { uses } of steps) if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  });
});

test("no workflow may write but the release", () => {
  const others = readdirSync(folder).filter((name) => name !== "release.yml");
  expect(others.map((name) => workflow(name).permissions)).toEqual(
    others.map(() => ({ contents: "read" })),
  );
});

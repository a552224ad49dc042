import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { PLACEHOLDER, repository, requireOwner } from "../../scripts/repository.mjs";
import { temporaryFolder } from "../src/temporary-folder.ts";

const folder = fileURLToPath(new URL("../../.github/workflows/", import.meta.url));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | boolean | number>>;
}

interface Job {
  readonly needs?: string;
  readonly permissions?: unknown;
  readonly strategy?: { readonly matrix: Readonly<Record<string, unknown>> };
  readonly steps: Step[];
}

interface Workflow {
  readonly on: { readonly push: { readonly tags?: readonly string[] } };
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflow = (name: string) => parse(readFileSync(`${folder}${name}`, "utf8")) as Workflow;

/** Exactly the files that Obsidian installs. */
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
    expect(String(steps[attest]?.with?.["subject-path"]).trim().split("\n")).toEqual(files);
    const publish = index(({ run }) => run?.startsWith("gh release create"));
    expect(steps[publish]?.run).toMatch(new RegExp(`--draft .* ${files.join(" ")}$`));
    const order = [".ci/run", "npm run build"].map((run) => index((step) => step.run === run));
    expect([...order, attest, publish]).toEqual([...order, attest, publish].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  test("is refused while the owner is a placeholder, before anything is built", () => {
    const check = index(({ run }) => run === "node scripts/repository.mjs");
    expect(check).toBeGreaterThan(0);
    expect(check).toBeLessThan(index(({ run }) => run === ".ci/run"));
    const script = fileURLToPath(new URL("../../scripts/repository.mjs", import.meta.url));
    const env = { ...process.env, GITHUB_REPOSITORY: `another/${repository.name}` };
    const { status, stderr } = spawnSync(process.execPath, [script], { env, encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/still has the owner|another\//)]);
  });

  test("has only the permissions that it needs", () => {
    expect(permissions).toEqual({});
    expect(jobs["plugin"]?.permissions).toEqual({
      contents: "write",
      "id-token": "write",
      attestations: "write",
    });
  });
});

describe("the release of the npm packages", () => {
  const { jobs } = workflow("release.yml");
  const { needs, permissions, steps = [] } = jobs["npm"] ?? {};
  const runs = steps.flatMap(({ run }) => run ?? []);

  test("is published by the identity of the job, after the tests, with its provenance", () => {
    expect(needs).toBe("plugin");
    expect(permissions).toEqual({ contents: "read", "id-token": "write" });
    expect(JSON.stringify(steps)).not.toMatch(/TOKEN|secrets\./);
    expect(runs.at(-1)).toContain('npm publish "./$tarball" --access public --provenance');
  });

  test("is refused while the owner of the repository is a placeholder, or another", () => {
    expect(runs).toContainEqual(expect.stringMatching(/pack\.mjs tarballs --release$/));
    const { owner, name } = repository;
    const release = (actual: string) => () => requireOwner(actual);
    if (owner === PLACEHOLDER) expect(release(`${owner}/${name}`)).toThrow("still has the owner");
    else expect(release("another/name")).toThrow("another/name releases");
  });
});

describe("the mirrors for plugin managers", () => {
  const { permissions, strategy, steps = [] } = workflow("release.yml").jobs["mirrors"] ?? {};
  const mirrors = (strategy?.matrix["include"] ?? []) as { folder: string; mirror: string }[];
  const script = steps.find(({ run }) => run !== undefined)?.run ?? "";

  test("only a token of their own may write there, and it is no argument", () => {
    expect(permissions).toEqual({ contents: "read" });
    expect(script).not.toContain("secrets.");
  });

  test.each(mirrors)("$mirror has $folder as its root, with a tag of the version", (each) => {
    const place = temporaryFolder("idewire-mirror-");
    const git = (cwd: string, ...args: readonly string[]) =>
      execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    git(place, "init", "-q", "--bare", `${each.mirror}.git`);
    git(place, "init", "-qb", "main", "work");
    const work = join(place, "work");
    const name = each.folder === "editors/emacs" ? "idewire.el" : "lua/idewire/init.lua";
    mkdirSync(dirname(join(work, each.folder, name)), { recursive: true });
    writeFileSync(join(work, each.folder, name), "text");
    git(work, "add", ".");
    git(work, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "first");
    const { status } = spawnSync("bash", ["-ec", script], {
      cwd: work,
      env: {
        ...process.env,
        ...{ FOLDER: each.folder, MIRROR: each.mirror, TOKEN: "t" },
        ...{ GITHUB_REPOSITORY_OWNER: "owner", GITHUB_REF_NAME: "1.2.3" },
        ...{ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: `url.${place}/.insteadOf` },
        GIT_CONFIG_VALUE_0: "https://github.com/owner/",
      },
    });
    expect(status).toBe(0);
    const mirror = join(place, `${each.mirror}.git`);
    expect(git(mirror, "ls-tree", "-r", "--name-only", "1.2.3").trim()).toBe(name);
    expect(git(mirror, "rev-parse", "main")).toBe(git(mirror, "rev-parse", "1.2.3"));
  });

  test("the recipe for MELPA names the mirror", () => {
    const recipe = readFileSync(`${folder}../../editors/emacs/melpa/idewire`, "utf8");
    expect(recipe).toContain(`:repo "${repository.owner}/${mirrors[1]?.mirror}"`);
  });
});

test("the release publishes the documentation, with the playground, as Pages", () => {
  const { needs, permissions, steps = [] } = workflow("release.yml").jobs["pages"] ?? {};
  expect(needs).toBe("plugin");
  expect(permissions).toEqual({ contents: "read", pages: "write", "id-token": "write" });
  expect(steps.find(({ uses }) => uses?.includes("upload-pages-artifact"))?.with).toEqual({
    path: "docs/.vitepress/dist",
  });
  expect(steps.map(({ run }) => run)).toContain("npm run docs");
});

test("every commit is tested on Linux, macOS and Windows", () => {
  const { os } = workflow("ci.yml").jobs["test"]?.strategy?.matrix ?? {};
  expect(os).toEqual(["ubuntu-latest", "macos-latest", "windows-latest"]);
});

test("workflows use actions by their commit, and leave no credentials behind", () => {
  const steps = readdirSync(folder).flatMap((name) =>
    Object.values(workflow(name).jobs).flatMap((job) => job.steps),
  );
  for (const { uses } of steps) if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
  for (const { with: inputs } of checkouts) expect(inputs?.["persist-credentials"]).toBe(false);
});

test("each form for a bug asks for the output of the doctor", () => {
  const forms = readdirSync(`${folder}../ISSUE_TEMPLATE`).filter((name) => name !== "config.yml");
  expect(forms).not.toEqual([]);
  for (const name of forms) {
    const { body } = parse(readFileSync(`${folder}../ISSUE_TEMPLATE/${name}`, "utf8"));
    const labels = body.map(
      ({ attributes }: { attributes: { label: string } }) => attributes.label,
    );
    expect(labels, name).toContain("What does `idewire doctor --json` print?");
  }
});

test("no workflow except the release may write", () => {
  const others = readdirSync(folder).filter((name) => name !== "release.yml");
  expect(others.map((name) => workflow(name).permissions)).toEqual(
    others.map(() => ({ contents: "read" })),
  );
});

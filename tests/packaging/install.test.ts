import { execFile } from "node:child_process";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { removeFolder } from "../src/remove-folder.ts";
import { compile, compilerAt, npmInstall } from "./installed.ts";
import { packages, root } from "./packages.ts";

const execute = promisify(execFile);

/** The oldest compiler that supports our declarations, and the one that created them. */
const compilers = {
  "TypeScript 5.2": compilerAt(join(root, "tests/packaging/package.json"), "typescript-5.2"),
  "TypeScript 7": compilerAt(join(root, "package.json"), "typescript"),
};

const entries = packages.flatMap(({ name, entries }) =>
  entries.map(({ key }) => `${name}${key.slice(1)}`),
);

/** The declarations of `/internal` require the types of Node. */
const publicEntries = entries.filter((entry) => !entry.includes("/internal"));

/** The entries that run in any ES2022 host, and those that need the types of a page. */
const hosts = {
  "of any host": { lib: ["es2022"], isOf: (entry: string) => !entry.includes("codemirror") },
  "of a page": { lib: ["es2022", "dom"], isOf: (entry: string) => entry.includes("codemirror") },
};

let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "idewire-install-"));
  const { packed, tarballs } = inject("packaging");
  await npmInstall(
    project,
    packed.map(({ filename }) => join(tarballs, filename)),
  );
});
afterAll(() => removeFolder(project));

describe("the packed packages, installed by npm into an empty project", () => {
  test("depend on nothing that only this repository has", async () => {
    const manifests = await Promise.all(
      packages.map(({ name }) =>
        readFile(join(project, "node_modules", name, "package.json"), "utf8"),
      ),
    );
    const ranges = manifests.flatMap((text) => {
      const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
      return Object.values(dependencies);
    });
    expect(ranges.filter((range) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
  });

  test("the command runs", async () => {
    const bin = join(project, "node_modules/idewire/bin/idewire.js");
    const { stdout } = await execute(process.execPath, [bin, "--version"], { cwd: project });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  describe.each(Object.entries(compilers))("%s", (_, compiler) => {
    const resolutions = [
      ["nodenext", "nodenext"],
      ["bundler", "esnext"],
    ] as const;
    const cases = resolutions.flatMap(([moduleResolution, module]) =>
      Object.entries(hosts).map(([host, types]) => ({ moduleResolution, module, host, ...types })),
    );
    test.each(cases)(
      "reads every declaration $host, resolved as $moduleResolution, with no types of others",
      async ({ moduleResolution, module, host, lib, isOf }) => {
        const uses = publicEntries
          .filter(isOf)
          .map((entry, at) => `export * as e${at} from "${entry}";\n`);
        const folder = join(project, `${host}-${moduleResolution}-${compiler.version}`);
        const options = { module, moduleResolution, lib, skipLibCheck: false };
        expect(await compile(compiler, folder, { ...options, source: uses.join("") })).toBe("");
      },
    );
  });
});

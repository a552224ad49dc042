import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "../src/remove-folder.ts";
import { pack, packages, root } from "./packages.ts";

const execute = promisify(execFile);
const shell = process.platform === "win32";

/** The oldest compiler that reads our declarations, and the one that made them. */
const compilers = {
  "TypeScript 5.2": compilerAt(join(root, "tests/packaging/package.json"), "typescript-5.2"),
  "TypeScript 7": compilerAt(join(root, "package.json"), "typescript"),
};

const entries = packages.flatMap(({ name, entries }) =>
  entries.map(({ key }) => `${name}${key.slice(1)}`),
);

/** What `/internal` declares is for packages that have the types of Node. */
const publicEntries = entries.filter((entry) => !entry.includes("/internal"));

let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "idewire-install-"));
  const tarballs = (await pack(project)).map(({ filename }) => `./${filename}`);
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts"];
  await execute("npm", ["install", ...quiet, ...tarballs], { cwd: project, shell });
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

  test.each(entries)("%s can be imported", async (entry) => {
    const script = `import(${JSON.stringify(entry)}).then((names) => console.log(Object.keys(names).length))`;
    const { stdout } = await execute(process.execPath, ["-e", script], { cwd: project });
    expect(Number(stdout)).toBeGreaterThan(0);
  });

  test("the command runs", async () => {
    const bin = join(project, "node_modules/idewire/bin/idewire.js");
    const { stdout } = await execute(process.execPath, [bin, "--version"], { cwd: project });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  describe.each(Object.entries(compilers))("%s", (_, compiler) => {
    test.each([
      ["nodenext", "nodenext"],
      ["bundler", "esnext"],
    ])(
      "reads every declaration, resolved as %s, with no types of others",
      async (resolution, module) => {
        const folder = join(project, `${resolution}-${compiler.version}`);
        await mkdir(folder);
        const source = publicEntries.map(
          (entry, index) => `export * as e${index} from "${entry}";\n`,
        );
        await writeFile(join(folder, "use.ts"), source.join(""));
        const compilerOptions = {
          ...{ strict: true, noEmit: true, skipLibCheck: false, types: [] },
          ...{ target: "es2022", lib: ["es2022"], module, moduleResolution: resolution },
        };
        await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
        const printed = await execute(process.execPath, [compiler.bin, "-p", folder]).then(
          ({ stdout }) => stdout,
          ({ stdout }: { stdout: string }) => stdout,
        );
        expect(printed.trim()).toBe("");
      },
    );
  });
});

function compilerAt(
  from: string,
  name: string,
): { readonly bin: string; readonly version: string } {
  const require = createRequire(from);
  const manifest = require.resolve(`${name}/package.json`);
  const { version } = require(manifest) as { version: string };
  return { bin: join(dirname(manifest), "bin/tsc"), version };
}

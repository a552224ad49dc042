import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { removeFolder } from "../src/remove-folder.ts";
import { compile, compilerAt, installable, npmInstall, optionalPeersOf } from "./installed.ts";
import { openingOf } from "./opening.ts";
import { packageNamed, packages, root } from "./packages.ts";
import { type Runtime, runtimes } from "./runtimes.ts";

/** The packages that programs import; the command is only run. */
const libraries = packages.filter(({ name }) => name !== "idewire");

const compiler = compilerAt(join(root, "package.json"), "typescript");

const place = mkdtempSync(join(tmpdir(), "idewire-contact-"));
const { packed, tarballs } = inject("packaging");
afterAll(() => removeFolder(place));

const projects = new Map<string, Promise<string>>();

/** A folder with only these packages installed. */
function projectWith(names: readonly string[]): Promise<string> {
  const create = async () => {
    const folder = mkdtempSync(join(place, "project-"));
    await npmInstall(folder, installable(names, packed, tarballs));
    return folder;
  };
  const project = projects.get(names.join(" ")) ?? create();
  projects.set(names.join(" "), project);
  return project;
}

describe.each(packages)("$name, installed by the first line of its README", (each) => {
  const specifiers = each.entries.map(({ key }) => `${each.name}${key.slice(1)}`);
  const { installs, code } = openingOf(each);
  let folder: string;

  beforeAll(async () => {
    folder = await projectWith([...installs, ...optionalPeersOf(each)]);
    await writeFile(join(folder, "entries.cjs"), entryScript(specifiers));
  });

  test.each(runtimes)("has the same names for require and import in $name", async (runtime) => {
    const { required, imported } = JSON.parse(await run(runtime, folder, "entries.cjs"));
    expect(Object.keys(imported)).toEqual(specifiers);
    for (const names of Object.values(imported)) expect(names).not.toEqual([]);
    expect(required).toEqual(imported);
  });

  test.each([
    { moduleResolution: "node16", module: "node16" },
    { moduleResolution: "bundler", module: "esnext" },
  ])("compiles by $moduleResolution, with the first code of its README", async (options) => {
    const uses = specifiers
      .filter((specifier) => !specifier.includes("/internal"))
      .map((specifier, index) => `export * as e${index} from "${specifier}";\n`);
    const source = `${uses.join("")}${code}`;
    const lib = ["es2022", "dom"];
    const at = join(folder, options.moduleResolution);
    expect(await compile(compiler, at, { ...options, lib, source })).toBe("");
  });
});

describe.each(libraries)("the first code of the README of $name", (each) => {
  const { installs, code, prints } = openingOf(each);
  let folder: string;

  beforeAll(async () => {
    folder = await projectWith(installs);
    const javaScript = await transform(code, { loader: "ts" });
    await writeFile(join(folder, "snippet.js"), javaScript.code);
  });

  test("imports only packages that the line above it installs", () => {
    const imported = [...code.matchAll(/ from "((?:@[^/"]+\/)?[^/"]+)/g)];
    expect(new Set(imported.map(([, found]) => found))).toEqual(new Set(installs));
  });

  test.each(runtimes)("prints in $name the output stated there", async (runtime) => {
    expect(prints).not.toBe("");
    expect(await run(runtime, folder, "snippet.js")).toBe(prints);
  });
});

test("the first command of the README of idewire serves the folder", async () => {
  const { installs } = openingOf(packageNamed("cli"));
  const folder = await projectWith(installs);
  const bin = join(folder, "node_modules/idewire/bin/idewire.js");
  const child = spawn(process.execPath, [bin, "serve", "--json"], {
    cwd: folder,
    env: environmentIn(folder),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await exited;
  });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  expect(JSON.parse(line)).toMatchObject({ event: "listening" });
});

/** Requires all entries before any is imported, which detects a top-level await. */
function entryScript(specifiers: readonly string[]): string {
  return `
const specifiers = ${JSON.stringify(specifiers)};
const namesOf = (module) => Object.keys(module).filter((name) => name !== "__esModule").sort();
const required = Object.fromEntries(specifiers.map((each) => [each, namesOf(require(each))]));
const importing = specifiers.map(async (each) => [each, namesOf(await import(each))]);
Promise.all(importing).then((names) => {
  console.log(JSON.stringify({ required, imported: Object.fromEntries(names) }));
});
`;
}

/** Runs a script without any configuration, and returns its output. */
async function run({ command, args }: Runtime, folder: string, script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(command, [...args, join(folder, script)], {
    cwd: folder,
    env: environmentIn(folder),
  });
  return stdout.trim();
}

function environmentIn(folder: string): NodeJS.ProcessEnv {
  const home = join(folder, "home");
  const homes = { HOME: home, USERPROFILE: home, CLAUDE_CONFIG_DIR: home };
  return { ...process.env, ...homes, DENO_DIR: join(home, "deno"), NO_COLOR: "1" };
}

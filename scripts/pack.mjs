// node scripts/pack.mjs FOLDER [--release]: packs the built packages for publication into a folder. Adds the
// address of the repository to manifests, and makes the relative links of READMEs absolute. Prints the output
// of `npm pack --json`.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { originOf, packages, requireOwner, withAbsoluteLinks } from "./repository.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const [destination = ".", release] = process.argv.slice(2);
if (release === "--release") requireOwner(process.env.GITHUB_REPOSITORY);

const staging = mkdtempSync(join(tmpdir(), "idewire-stage-"));
try {
  const flags = ["--json", "--ignore-scripts", "--pack-destination", resolve(destination)];
  const printed = execFileSync("npm", ["pack", ...flags, ...packages.map(stage)], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    shell: process.platform === "win32",
  });
  process.stdout.write(printed);
} finally {
  rmSync(staging, { recursive: true, force: true });
}

function stage(name) {
  const folder = join(staging, name);
  cpSync(join(root, "packages", name), folder, {
    recursive: true,
    filter: (path) => basename(path) !== "node_modules",
  });
  change(join(folder, "package.json"), (text) => {
    const manifest = { ...JSON.parse(text), ...originOf(`packages/${name}`) };
    return `${JSON.stringify(manifest, null, 2)}\n`;
  });
  change(join(folder, "README.md"), (text) => withAbsoluteLinks(text, `packages/${name}`));
  return folder;
}

function change(file, edit) {
  writeFileSync(file, edit(readFileSync(file, "utf8")));
}

// `npm run pictures`: takes pictures of every view of the page and the plugin, and lists their differences
// from the stored ones on a sheet. Differences do not fail: a person reviews them.
import { spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { difference, shrink } from "./picture.mjs";
import { sheetOf } from "./sheet.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const kept = fileURLToPath(new URL("kept", import.meta.url));
const out = join(root, "pictures");
const full = join(out, "full");
const now = join(out, "now");
const keeps = process.argv.includes("--keep");

/** Times differ in every run: up to this share of a picture. */
const TIMES = 0.002;

const vitest = join(root, "node_modules/vitest/vitest.mjs");
/** The page has separate runs for its views; the plugin's tests take their pictures in passing. */
const runs = [
  ["--mode", "slow", "--project", "playground", "views"],
  ["--project", "plugin", ...pluginTests()],
  ...(keeps ? [["--project", "playground", "pictures"]] : []),
];

rmSync(out, { recursive: true, force: true });
mkdirSync(now, { recursive: true });
let failed = 0;
for (const args of runs) failed += (await run(args)) === 0 ? 0 : 1;
const found = readdirSync(full).sort();
for (const name of found) {
  writeFileSync(join(now, name), shrink(readFileSync(join(full, name)), { by: 2, colours: 64 }));
}
const rows = compare();
writeFileSync(join(out, "sheet.html"), sheetOf(rows));
if (keeps) keep();
console.log(summaryOf(rows));
process.exitCode = failed === 0 ? 0 : 1;

function pluginTests() {
  const folder = join(root, "tests/plugin");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".test.ts"))
    .filter((name) => readFileSync(join(folder, name), "utf8").includes(".screenshot("));
}

function run(args) {
  const env = {
    ...process.env,
    IDEWIRE_SHOTS: full,
    ...(keeps && { IDEWIRE_PICTURES: "1" }),
  };
  const child = spawn(process.execPath, [vitest, "run", ...args], {
    cwd: root,
    env,
    stdio: "inherit",
  });
  return new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
}

/** One row for each stored or new picture, the most different first. */
function compare() {
  const names = new Set([...pngsOf(kept), ...pngsOf(now)]);
  const all = [...names].sort().map((name) => {
    const [before, after] = [join(kept, name), join(now, name)];
    if (!existsSync(before)) return { name, kind: "new", share: 1, after };
    if (!existsSync(after)) return { name, kind: "gone", share: 1, before };
    const { share, picture } = difference(readFileSync(before), readFileSync(after));
    if (share < TIMES) return { name, kind: "same", share };
    return { name, kind: "different", share, before, after, picture };
  });
  return all.sort((a, b) => b.share - a.share);
}

function pngsOf(folder) {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".png")) : [];
}

/**
 * Stores the differing pictures, also in the plugin's README. Equal pictures stay, as a new copy would only
 * enlarge the repository, and so do those that a failed test may not have taken.
 */
function keep() {
  for (const { name, kind } of rows) {
    if (kind === "gone" && failed === 0) rmSync(join(kept, name));
    if (kind === "new" || kind === "different") copyFileSync(join(now, name), join(kept, name));
  }
  const images = join(root, "packages/obsidian-plugin/images");
  for (const name of pngsOf(images)) {
    if (!existsSync(join(full, name))) continue;
    writeFileSync(
      join(images, name),
      shrink(readFileSync(join(full, name)), { by: 1, colours: 256 }),
    );
  }
}

function summaryOf(rows) {
  const count = (kind) => rows.filter((row) => row.kind === kind).length;
  const counts = ["different", "new", "gone", "same"].map((kind) => `${count(kind)} ${kind}`);
  const end = keeps ? "kept as they are now" : `see ${join("pictures", "sheet.html")}`;
  return `${rows.length} pictures: ${counts.join(", ")}; ${end}`;
}

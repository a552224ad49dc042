// `npm start` and the tests, from a bare checkout on: installs and builds whatever has changed since the last
// time, then runs the program as a child in this terminal and exits with its code. Uses only Node. The output
// of the steps goes to stderr: stdout is the program's.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { advice, findChromium, installChromium } from "./chromium.mjs";
import { installDebian13 } from "./debian-13.mjs";
import { advice as editorAdvice, findEditors, installEditors } from "./editors.mjs";
import { findRedis, installRedis, advice as redisAdvice } from "./redis-server.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const windows = process.platform === "win32";
const cache = join(root, "node_modules/.cache/idewire");
/** Skips installation and builds: set by tests whose build is also in use by other processes. */
const takesAsBuilt = process.env.IDEWIRE_AS_BUILT !== undefined;
/** How a step runs: in its own process group, so that one signal ends the whole tree. */
const step = { stdio: ["ignore", 2, 2], ownGroup: !windows };
/** The last signal received; nothing starts after one. */
let stoppedBy;

const vitest = ["node_modules/vitest/vitest.mjs", "run"];
const programs = {
  start: ["packages/cli/bin/idewire.js", "serve", "examples/vault"],
  test: [...vitest, "--mode=quick"],
  "test:all": vitest,
  "test:rest": [...vitest, "--mode=rest"],
  "test:debian-13": [...vitest, "--project=neovim", "--project=emacs"],
  mutants: [
    "tests/mutants/node_modules/@stryker-mutator/core/bin/stryker.js",
    "run",
    "tests/mutants/stryker.config.mjs",
  ],
  pictures: ["tests/pictures/run.mjs"],
  conformance: ["tests/conformance/dist/main.js"],
  docs: ["docs/build.mjs"],
  install: [],
  pnpm: [],
};
/** The light modes, for which the packages of the other modes are not installed. */
const lightModes = ["start", "test"];
const light = [
  "--filter=!./tests/*",
  "--filter=!@idewire/benchmarks",
  "--filter=!@idewire/example-monaco",
  "--filter=!./studies/*",
  "--filter=!@idewire/docs",
];

// npm starts this script through a shell, which dies of a signal without passing it on: the loss of that parent
// is the signal.
const parent = process.ppid;
if (process.env.npm_lifecycle_event !== undefined) {
  setInterval(() => {
    if (process.ppid !== parent && stoppedBy === undefined) process.emit("SIGTERM", "SIGTERM");
  }, 200).unref();
}

const [mode, ...extra] = process.argv.slice(2);
const program = programs[mode];
if (program === undefined) fail(`usage: node scripts/run.mjs ${Object.keys(programs).join("|")}`);
checkNode();
if (mode === "pnpm") process.exit(await pnpm(...extra));
await install(lightModes.includes(mode));
if (program.length === 0) process.exit();
await build();
const untested = /^test(:all|:rest)?$/.test(mode) ? withoutBrowser() : [];
const withoutStore = needsRedis() ? withoutRedis() : [];
const withoutEditor = runsRest() ? withoutEditors() : [];
const path = mode === "test:debian-13" ? pathOfDebian13() : process.env.PATH;
if (mode === "start" && isInteractive()) program.push("--web");
program.push(
  ...[...untested, ...withoutStore, ...withoutEditor].map((name) => `--project=!${name}`),
  ...extra,
);
print(`running ${[basename(program[0]), ...program.slice(1)].join(" ")}`);
process.exitCode = await run(process.execPath, program, { stdio: "inherit", path });
if (untested.length > 0) {
  print(`NOT TESTED, without Chromium: ${untested.join(", ")}. ${advice}.`);
  process.exitCode ||= 1;
}
if (withoutStore.length > 0) {
  print(`NOT TESTED, without Redis: ${withoutStore.join(", ")}. ${redisAdvice}.`);
  process.exitCode ||= 1;
}

if (withoutEditor.length > 0) {
  print(`NOT TESTED, without Neovim, Emacs or tmux: ${withoutEditor.join(", ")}. ${editorAdvice}.`);
  process.exitCode ||= 1;
}

/** Whether a person runs it: only then is the page served too. */
function isInteractive() {
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  return isTerminal && process.env.CI === undefined;
}

/** The vitest projects that cannot run without a browser. */
function withoutBrowser() {
  return (findChromium() ?? installChromium()) === undefined ? ["plugin", "playground"] : [];
}

/** The projects that start several instances of a server. */
function needsRedis() {
  const asksForInstances = mode === "conformance" && extra.includes("--instances");
  return runsRest() || asksForInstances;
}

/** Whether it runs the tests that `npm test` leaves out. */
function runsRest() {
  return mode === "test:all" || mode === "test:rest";
}

/** The projects that cannot run without Neovim and Emacs, in a terminal of tmux. */
function withoutEditors() {
  return (findEditors() ?? installEditors()) === undefined ? ["neovim", "emacs"] : [];
}

/** The PATH with the editors of Debian 13 first; exits without running anything if they cannot be installed. */
function pathOfDebian13() {
  if (withoutEditors().length > 0) fail(`tmux is missing. ${editorAdvice}`);
  const bin = installDebian13(join(cache, "debian-13"));
  if (bin !== undefined) return [bin, process.env.PATH].join(delimiter);
  print(
    "NOT TESTED: the editors of Debian 13, which only a Debian with root or patchelf can have.",
  );
  process.exit(existsSync("/etc/debian_version") && process.getuid() === 0 ? 1 : 0);
}

/** The vitest projects that cannot run without Redis. */
function withoutRedis() {
  return (findRedis() ?? installRedis()) === undefined ? ["instances"] : [];
}

function checkNode() {
  const wanted = manifest.engines.node.replace(">=", "");
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [wantedMajor, wantedMinor] = wanted.split(".").map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  fail(`Node ${process.versions.node} is too old: ${wanted} or newer is required.`);
}

/** Installs unless that has succeeded before with the same manifests; a full installation also serves a light mode. */
async function install(isLight) {
  if (takesAsBuilt) return;
  const stamp = join(cache, "install");
  const inputs = fingerprint([...manifests(), "pnpm-lock.yaml", "pnpm-workspace.yaml"]);
  const done =
    existsSync(stamp) &&
    existsSync(join(root, "node_modules/.pnpm")) &&
    readFileSync(stamp, "utf8");
  if (done === `whole ${inputs}` || (isLight && done === `light ${inputs}`)) return;
  print("install (not done yet, or inputs have changed)");
  const code = await pnpm("install", "--frozen-lockfile", ...(isLight ? light : []));
  if (code !== 0) process.exit(code);
  mkdirSync(cache, { recursive: true });
  writeFileSync(stamp, `${isLight ? "light" : "whole"} ${inputs}`);
}

/** Builds the packages that have changed, according to turbo, which expects pnpm on the path. */
async function build() {
  if (takesAsBuilt) return;
  const turbo = ["node_modules/turbo/bin/turbo", "run", "build", "--output-logs=errors-only"];
  print("build (only what has changed)");
  const path = [join(await pnpmFolder(), ".bin"), process.env.PATH].join(delimiter);
  const code = await run(process.execPath, turbo, { ...step, stdio: ["ignore", "pipe", 2], path });
  if (code !== 0) process.exit(code);
}

function workspaces() {
  return ["packages", "examples", "tests", "."]
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(parent, name)))
    .filter((folder) => existsSync(join(root, folder, "package.json")));
}

function manifests() {
  return [".", ...workspaces()].map((folder) => join(folder, "package.json"));
}

function fingerprint(paths) {
  const hash = createHash("sha256").update(process.version);
  for (const path of paths.sort()) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}

async function pnpm(...args) {
  const script = join(await pnpmFolder(), "pnpm/bin/pnpm.mjs");
  return run(process.execPath, [script, ...args], step);
}

/** The pinned pnpm, installed by npm: a machine's own may be missing, another version, or a broken shim. */
async function pnpmFolder() {
  const [spec, hash] = manifest.packageManager.split("+sha512.");
  const folder = join(cache, spec.replace("@", "-"));
  const tarball = `${folder}.tgz`;
  if (!hasHash(tarball, hash)) {
    mkdirSync(cache, { recursive: true });
    await npm("pack", spec, "--silent", "--pack-destination", cache);
    if (!hasHash(tarball, hash)) fail(`${spec} does not match its hash in package.json`);
  }
  const modules = join(folder, "node_modules");
  // npm writes this file last.
  if (!existsSync(join(modules, ".package-lock.json"))) {
    await npm("install", tarball, "--silent", "--no-audit", "--no-fund", "--prefix", folder);
  }
  return modules;
}

function hasHash(file, sha512) {
  if (!existsSync(file)) return false;
  return createHash("sha512").update(readFileSync(file)).digest("hex") === sha512;
}

async function npm(...args) {
  const path = process.env.npm_execpath ?? "";
  const code = /npm-cli\.js$/.test(path)
    ? await run(process.execPath, [path, ...args], step)
    : await run(windows ? "npm.cmd" : "npm", args, step);
  if (code !== 0) process.exit(code);
}

/** Runs a child, passes signals on, resolves to its exit code; piped output is printed if it fails. */
function run(command, args, { stdio, ownGroup = false, path = process.env.PATH }) {
  if (stoppedBy !== undefined) return 128 + constants.signals[stoppedBy];
  const env = { ...process.env, PATH: path, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
  const child = spawn(command, args, { cwd: root, stdio, env, detached: ownGroup });
  const output = [];
  child.stdout?.on("data", (bytes) => output.push(bytes));
  const pass = (signal) => {
    // The terminal has sent its SIGINT to the child as well, and a second one means "immediately".
    if (signal === "SIGINT" && process.stdin.isTTY && !ownGroup) return;
    stoppedBy = signal;
    if (ownGroup) process.kill(-child.pid, signal);
    else child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, pass);
  return new Promise((resolve) => {
    child.on("error", (error) => fail(`cannot run ${command}: ${error.message}`));
    child.on("close", (code, signal) => {
      for (const name of signals) process.off(name, pass);
      if (code !== 0) process.stderr.write(Buffer.concat(output));
      resolve(stoppedBy && code === 0 && ownGroup ? 1 : (code ?? 128 + constants.signals[signal]));
    });
  });
}

function print(text) {
  console.error(`idewire: ${text}`);
}

function fail(text) {
  print(text);
  process.exit(1);
}

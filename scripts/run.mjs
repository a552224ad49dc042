// `npm start` and the tests, from a bare checkout on: installs and builds whatever has changed since the last
// time, then runs the program as a child in this terminal and exits with its code. Uses only Node. The output
// of the steps goes to stderr: stdout is the program's.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { advice, findChromium, installChromium } from "./chromium.mjs";
import { findRedis, installRedis, advice as redisAdvice } from "./redis-server.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const windows = process.platform === "win32";
/** The last signal received; nothing starts after one. */
let stoppedBy;

const vitest = ["node_modules/vitest/vitest.mjs", "run"];
const programs = {
  start: ["packages/cli/bin/idewire.js", "serve", "examples/vault"],
  test: [...vitest, "--mode=quick"],
  "test:all": vitest,
  "test:rest": [...vitest, "--mode=rest"],
  mutants: [
    "tests/mutants/node_modules/@stryker-mutator/core/bin/stryker.js",
    "run",
    "tests/mutants/stryker.config.mjs",
  ],
  pictures: ["tests/pictures/run.mjs"],
  conformance: ["tests/conformance/dist/main.js"],
  install: [],
  pnpm: [],
};
/** The light modes, for which the packages of the other modes are not installed. */
const lightModes = ["start", "test"];
/** The folders with sources to build. */
const built = ["packages", "tests/conformance/src"];
const light = ["--filter=!./tests/*", "--filter=!@idewire/benchmarks"];

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
await whenChanged("build", [...manifests(), ...locks(), ...sources()], distFolders(), () =>
  pnpm("exec", "turbo", "run", "build", "--output-logs=errors-only"),
);
const untested = mode.startsWith("test") ? withoutBrowser() : [];
const withoutStore = needsRedis() ? withoutRedis() : [];
if (mode === "start" && sitsAtTerminal()) program.push("--web");
program.push(...[...untested, ...withoutStore].map((name) => `--project=!${name}`), ...extra);
print(`running ${[basename(program[0]), ...program.slice(1)].join(" ")}`);
process.exitCode = await run(process.execPath, program, "inherit");
if (untested.length > 0) {
  print(`NOT TESTED, without Chromium: ${untested.join(", ")}. ${advice}.`);
  process.exitCode ||= 1;
}
if (withoutStore.length > 0) {
  print(`NOT TESTED, without Redis: ${withoutStore.join(", ")}. ${redisAdvice}.`);
  process.exitCode ||= 1;
}

/** Whether a person runs it, who also gets the page. */
function sitsAtTerminal() {
  const talks = process.stdin.isTTY === true && process.stdout.isTTY === true;
  return talks && process.env.CI === undefined;
}

/** The vitest projects that cannot run without a browser. */
function withoutBrowser() {
  return (findChromium() ?? installChromium()) === undefined ? ["plugin", "playground"] : [];
}

/** The projects that start several instances of a server. */
function needsRedis() {
  const asksForInstances = mode === "conformance" && extra.includes("--instances");
  return mode === "test:all" || mode === "test:rest" || asksForInstances;
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

/** A full installation also serves a light mode. */
function install(isLight) {
  const inputs = [...manifests(), ...locks()];
  const act = () => pnpm("install", "--frozen-lockfile", ...(isLight ? light : []));
  const extents = isLight ? ["light", "whole"] : ["whole"];
  return whenChanged("install", inputs, ["node_modules/.pnpm"], act, extents);
}

/**
 * Runs the step unless it has succeeded before with the same inputs, in one of the extents, and its outputs
 * exist. With IDEWIRE_AS_BUILT, existing output is used as it is: set by tests that run builds used by other
 * processes.
 */
async function whenChanged(step, inputs, outputs, act, extents = ["whole"]) {
  if (process.env.IDEWIRE_AS_BUILT !== undefined) return;
  const stamp = join(root, "node_modules/.cache/idewire", step);
  const prints = extents.map((extent) => `${extent} ${fingerprint(inputs)}`);
  const done = existsSync(stamp) && prints.includes(readFileSync(stamp, "utf8"));
  if (done && outputs.every((path) => existsSync(join(root, path)))) return;
  print(`${step} (${done ? "output is missing" : "not done yet, or inputs have changed"})`);
  const code = await act();
  if (code !== 0) process.exit(code);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, prints[0]);
}

function workspaces() {
  return ["packages", "examples", "tests", "."]
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(parent, name)))
    .filter((folder) => existsSync(join(root, folder, "package.json")));
}

function manifests() {
  return [".", ...workspaces()].map((folder) => join(folder, "package.json"));
}

function locks() {
  return ["pnpm-lock.yaml", "pnpm-workspace.yaml"];
}

function sources() {
  return [
    "tsconfig.base.json",
    "turbo.json",
    "scripts/rollup.mjs",
    "scripts/licences.mjs",
    ...built.flatMap(files),
  ];
}

function distFolders() {
  return workspaces()
    .filter((folder) => existsSync(join(root, folder, "rollup.config.mjs")))
    .map((folder) => join(folder, "dist"));
}

function files(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !["node_modules", "dist", ".turbo"].includes(name))
    .filter(({ name }) => !/\.(test|test-d)\.ts$|\.md$/.test(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? files(path) : [path];
    });
}

function fingerprint(paths) {
  const hash = createHash("sha256").update(process.version);
  for (const path of paths.sort()) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}

/** The pinned pnpm, through npm: a machine's own may be missing, another version, or a broken shim. */
async function pnpm(...args) {
  const [spec, hash] = manifest.packageManager.split("+sha512.");
  const tarball = join("node_modules/.cache/idewire", `${spec.replace("@", "-")}.tgz`);
  if (!hasHash(tarball, hash)) {
    mkdirSync(join(root, dirname(tarball)), { recursive: true });
    const code = await npm("pack", spec, "--silent", "--pack-destination", dirname(tarball));
    if (code !== 0) return code;
    if (!hasHash(tarball, hash)) fail(`${spec} does not match its hash in package.json`);
  }
  return npm("exec", "--yes", `--package=./${tarball}`, "--", "pnpm", ...args);
}

function hasHash(path, sha512) {
  const file = join(root, path);
  if (!existsSync(file)) return false;
  return createHash("sha512").update(readFileSync(file)).digest("hex") === sha512;
}

function npm(...args) {
  const path = process.env.npm_execpath ?? "";
  // Its own process group, so that one signal terminates the whole tree of a step.
  return /npm-cli\.js$/.test(path)
    ? run(process.execPath, [path, ...args], ["ignore", 2, 2], !windows)
    : run(windows ? "npm.cmd" : "npm", args, ["ignore", 2, 2], !windows);
}

/** Runs a child, passes signals on, resolves to its exit code. */
function run(command, args, stdio, ownGroup = false) {
  if (stoppedBy !== undefined) return 128 + constants.signals[stoppedBy];
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
  const child = spawn(command, args, { cwd: root, stdio, env, detached: ownGroup });
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
    child.on("exit", (code, signal) => {
      for (const name of signals) process.off(name, pass);
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

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { unpackDebianSource } from "./debian.ts";
import { integrity } from "./integrity.ts";

const run = promisify(execFile);
/** Before the name of a source package of Debian. */
const debian = "debian:";

/** Two versions of a package. */
export type Versions = readonly [name: string, before: string, after: string];

/** The sets: anchors were developed on the first; `npm pack` fetches them at run time. */
export const packageSets: Readonly<Record<string, readonly Versions[]>> = {
  development: [
    ["express", "4.17.1", "4.19.2"],
    ["express", "4.19.2", "5.0.1"],
    ["commander", "9.0.0", "10.0.0"],
    ["commander", "9.0.0", "12.0.0"],
    ["axios", "1.2.0", "1.7.0"],
    ["ws", "8.0.0", "8.17.0"],
    ["undici", "5.20.0", "6.0.0"],
    ["eslint", "8.0.0", "8.50.0"],
    ["mocha", "9.0.0", "10.2.0"],
    ["webpack", "5.60.0", "5.90.0"],
    ["rxjs", "7.0.0", "7.8.1"],
    ["mobx", "6.0.0", "6.12.0"],
    ["preact", "10.5.0", "10.19.0"],
    ["fastify", "4.0.0", "4.20.0"],
    ["semver", "7.3.0", "7.6.0"],
    ["immer", "9.0.0", "10.0.0"],
  ],
  "held-out": [
    ["koa", "2.13.0", "2.15.0"],
    ["pino", "8.0.0", "9.0.0"],
    ["knex", "1.0.1", "3.0.0"],
    ["mongoose", "7.0.0", "8.0.0"],
    ["svelte", "4.0.0", "4.2.0"],
    ["effect", "2.0.0", "3.0.0"],
    ["jsdom", "20.0.0", "22.0.0"],
  ],
  third: [
    ["karma", "6.0.0", "6.4.2"],
    ["nodemailer", "6.6.0", "6.9.0"],
    ["winston", "3.3.0", "3.11.0"],
    ["ajv", "8.6.0", "8.12.0"],
    ["jscodeshift", "0.14.0", "0.16.0"],
    ["pg", "8.7.0", "8.11.0"],
    ["bull", "4.8.0", "4.12.0"],
  ],
  long: [
    ["eslint", "5.0.0", "9.0.0"],
    ["webpack", "4.0.0", "5.90.0"],
    ["ws", "3.0.0", "8.17.0"],
    ["mocha", "5.0.0", "10.2.0"],
    ["axios", "0.18.0", "1.7.0"],
    ["fastify", "1.0.0", "4.20.0"],
    ["undici", "3.0.0", "6.0.0"],
  ],
  unseen: [
    ["postcss", "8.0.0", "8.4.31"],
    ["stylelint", "14.0.0", "15.0.0"],
    ["@hapi/hapi", "20.0.0", "21.0.0"],
    ["mysql2", "2.0.0", "3.0.0"],
    ["nodemon", "2.0.0", "3.0.0"],
    ["discord.js", "13.0.0", "14.0.0"],
    ["restify", "8.0.0", "11.0.0"],
    ["@tanstack/query-core", "4.0.0", "5.0.0"],
    ["@reduxjs/toolkit", "1.8.0", "2.0.0"],
    ["viem", "1.0.0", "1.20.0"],
  ],
  "unseen-long": [
    ["stylelint", "9.0.0", "15.0.0"],
    ["mysql2", "1.4.0", "3.0.0"],
    ["markdown-it", "8.0.0", "12.0.0"],
    ["discord.js", "11.0.0", "14.0.0"],
    ["nodemon", "1.11.0", "3.0.0"],
  ],
  newest: [
    ["chokidar", "3.0.2", "3.6.0"],
    ["nunjucks", "3.1.0", "3.2.4"],
    ["handlebars", "4.1.0", "4.7.8"],
    ["mongodb", "5.0.0", "6.0.0"],
    ["underscore", "1.10.0", "1.13.0"],
    ["luxon", "2.0.0", "3.0.0"],
    ["nock", "12.0.0", "13.0.0"],
    ["sinon", "14.0.0", "15.0.0"],
    ["hexo", "5.0.0", "6.0.0"],
    ["superagent", "6.0.0", "8.0.0"],
  ],
  "newest-long": [
    ["chokidar", "2.0.0", "3.6.0"],
    ["nunjucks", "2.0.0", "3.2.4"],
    ["luxon", "1.0.0", "3.0.0"],
    ["nock", "9.0.0", "13.0.0"],
    ["sinon", "4.0.0", "15.0.0"],
  ],
  python: [
    ["node-gyp", "8.0.0", "9.0.0"],
    ["node-gyp", "9.0.0", "10.0.0"],
    ["node-gyp", "10.0.0", "11.0.0"],
  ],
  go: [
    ["debian:golang-github-spf13-cobra", "1.6.1-1", "1.8.1-1"],
    ["debian:golang-github-spf13-viper", "1.10.1-1", "1.12.0-1"],
    ["debian:golang-github-gin-gonic-gin", "1.6.3-3", "1.8.1-3"],
  ],
  rust: [
    ["debian:rust-serde", "1.0.152-2", "1.0.217-1"],
    ["debian:python-cryptography", "38.0.4-3+deb12u1", "43.0.0-3+deb13u1"],
    ["debian:mercurial", "6.3.2-1+deb12u1", "7.0.1-2"],
    ["debian:suricata", "1:6.0.1-3", "1:7.0.10-1+deb13u4"],
  ],
  java: [
    ["debian:commons-io", "2.11.0-2", "2.19.0-1"],
    ["debian:libcommons-lang3-java", "3.12.0-2+deb12u1", "3.17.0-1+deb13u1"],
  ],
  c: [
    ["debian:zlib", "1:1.2.13.dfsg-1", "1:1.3.dfsg+really1.3.1-1"],
    ["debian:lua5.4", "5.4.4-3+deb12u1", "5.4.7-1"],
    ["debian:expat", "2.2.10-2+deb11u5", "2.5.0-1+deb12u2"],
    ["debian:tmux", "3.3a-3", "3.5a-3"],
  ],
  cpp: [
    ["debian:fmtlib", "9.1.0+ds1-2", "10.1.1+ds1-4"],
    ["debian:spdlog", "1:1.10.0+ds-0.4", "1:1.15.2+ds-2"],
  ],
  csharp: [["debian:keepass2", "2.47+dfsg-2", "2.57+dfsg-3"]],
  ruby: [["debian:puma", "5.6.5-3+deb12u1", "6.6.0-4"]],
  php: [["debian:php-monolog", "2.9.1-1", "3.9.0-1"]],
  bash: [
    ["debian:bash-completion", "1:2.11-6", "1:2.16.0-7"],
    ["debian:dracut", "051-1", "059-4"],
  ],
};

/**
 * A folder with a version of a package, fetched once.
 * @throws Error when the archive does not match its pinned hash
 */
export async function fetchPackage(cache: string, id: string): Promise<string> {
  const folder = join(cache, id.replaceAll(":", "_"));
  if (
    await stat(folder).then(
      () => true,
      () => false,
    )
  )
    return join(folder, "package");
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, "draft-"));
  try {
    if (id.startsWith(debian)) await unpackDebianSource(cache, draft, id.slice(debian.length));
    else await unpackPackage(draft, id);
    await mkdir(join(folder, ".."), { recursive: true });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return join(folder, "package");
}

async function unpackPackage(draft: string, id: string): Promise<void> {
  const expected = integrity[id];
  if (expected === undefined) throw new Error(`${id} has no pinned integrity`);
  const { stdout } = await run("npm", ["pack", id, "--json", "--ignore-scripts"], { cwd: draft });
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
  const file = join(draft, packed?.filename ?? "");
  const hash = createHash("sha512")
    .update(await readFile(file))
    .digest("base64");
  if (`sha512-${hash}` !== expected)
    throw new Error(`${id} does not match its pinned hash: sha512-${hash}`);
  await run("tar", ["xzf", file], { cwd: draft });
  await rm(file);
}

// npm run docs: the site, in docs/.vitepress/dist. DOCS_BASE is the path below which it is served.
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "vitepress";
import { packages } from "../scripts/repository.mjs";
import { findDeadPlaces } from "./scripts/anchors.mjs";
import { writeApi } from "./scripts/api.mjs";
import { docs, elsewhere, GENERATED, root } from "./scripts/tree.mjs";

const generated = join(docs, GENERATED);
const site = join(docs, ".vitepress/dist");

rmSync(generated, { recursive: true, force: true });
for (const file of Object.keys(elsewhere)) {
  mkdirSync(join(generated, dirname(file)), { recursive: true });
  cpSync(join(root, file), join(generated, file));
}
for (const name of packages) {
  await writeApi(join(root, "packages", name), join(generated, "api", name));
}
await build(docs);
cpSync(join(root, "packages/web-playground/dist"), join(site, "play"), { recursive: true });

const dead = findDeadPlaces(site, process.env.DOCS_BASE ?? "/");
for (const each of dead) console.error(each);
if (dead.length > 0) process.exitCode = 1;
else console.log(`The site is in ${site}.`);

// Copies the released files of the Obsidian plugin to the root: the community directory runs this repository's
// `build` and compares them with a release's assets.
import { copyFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = join(root, "packages/obsidian-plugin/dist");

// manifest.json is also in git: the directory reads it from the default branch.
for (const name of ["main.js", "styles.css"]) copyFileSync(join(built, name), join(root, name));

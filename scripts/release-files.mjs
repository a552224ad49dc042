// Puts the released files of the Obsidian plugin at the root: the community directory runs this
// repository's `build` and compares what it finds here with a release's assets.
import { copyFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = join(root, "packages/obsidian-plugin/dist");

// manifest.json is in git here too: the directory reads it from the default branch.
for (const name of ["main.js", "styles.css"]) copyFileSync(join(built, name), join(root, name));

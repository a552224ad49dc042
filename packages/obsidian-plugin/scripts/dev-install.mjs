// Puts the built plugin into a vault, to try it by hand.
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
// pnpm runs this in the package's folder; a relative path is meant from where the person is.
const vault = resolve(process.env.INIT_CWD ?? "", process.argv[2] ?? "");

if (process.argv[2] === undefined) fail("usage: pnpm --filter obsidian-plugin dev-install <vault>");
if (!existsSync(join(vault, ".obsidian"))) {
  fail(`${vault} has no folder .obsidian: open it as a vault in Obsidian once, or name another`);
}
const target = join(vault, ".obsidian/plugins/idewire");
mkdirSync(target, { recursive: true });
for (const name of ["main.js", "manifest.json", "styles.css"]) {
  copyFileSync(join(dist, name), join(target, name));
}
console.log(`Idewire is in ${target}.
In Obsidian: Settings, Community plugins, turn on Idewire (or turn it off and on again).`);

function fail(text) {
  console.error(text);
  process.exit(1);
}

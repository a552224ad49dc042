// The public entries of a package. Uses only Node.
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * The public entries of a package, such as `server` of `@idewire/core/server`; the package's own has its folder's name.
 * @param {string} folder the package's
 * @returns {Record<string, string>} each with its source, from the folder
 */
export function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const isPublic = ([path]) => path.startsWith(".") && !path.includes("internal");
  return Object.fromEntries(
    Object.entries(exports)
      .filter(isPublic)
      .map(([path, { "@idewire/source": source }]) => [
        path === "." ? basename(folder) : path.slice(2),
        source,
      ]),
  );
}

/**
 * The file of an entry: a folder of its own where the entry has namespaces.
 * @param {string} out as given to `writeApi`
 * @param {string} name of the entry
 */
export function pageOf(out, name) {
  const page = join(out, `${name}.md`);
  return existsSync(page) ? page : join(out, name, "entries.md");
}

/**
 * What a program imports.
 * @param {string} folder the package's
 * @param {string} name of the entry
 */
export function specifierOf(folder, name) {
  const { name: own } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return name === basename(folder) ? own : `${own}/${name}`;
}

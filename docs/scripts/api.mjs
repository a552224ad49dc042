// The API pages: every public entry of every published package, by TypeDoc, a page an entry.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import GithubSlugger from "github-slugger";
import { Application } from "typedoc";
import { entriesOf, pageOf, specifierOf } from "./packages.mjs";

/**
 * Writes the pages of a package.
 * @param {string} folder the package's
 * @param {string} out where the pages go
 */
export async function writeApi(folder, out) {
  const entries = entriesOf(folder);
  const app = await Application.bootstrapWithPlugins({
    plugin: ["typedoc-plugin-markdown"],
    entryPoints: Object.values(entries).map((source) => join(folder, source)),
    out,
    tsconfig: join(folder, "tsconfig.json"),
    readme: "none",
    disableGit: true,
    disableSources: true,
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    // The repository's own checks are stricter, and have run.
    skipErrorChecking: true,
    logLevel: "Error",
    ...{ outputFileStrategy: "modules", entryFileName: "entries", hideBreadcrumbs: true },
    ...{ hidePageHeader: true, sanitizeComments: true, useCodeBlocks: true },
    // As a table, a class's would take the places of headings of the same name.
    ...{
      interfacePropertiesFormat: "table",
      classPropertiesFormat: "list",
      parametersFormat: "table",
    },
  });
  const project = await app.convert();
  if (project === undefined) throw new Error(`TypeDoc cannot read ${folder}`);
  for (const module of project.children) module.name = nameOf(module.name, entries);
  await app.generateOutputs(project);
  // The list of entries is in the menu.
  rmSync(join(out, "entries.md"));
  for (const name of Object.keys(entries)) finish(pageOf(out, name), specifierOf(folder, name));
}

function finish(page, title) {
  const text = readFileSync(page, "utf8").replace(/^# .*/, `# \`${title}\``);
  // The plugin counts the property `options` of a class `Peer` as a first `PeerOptions`.
  const linked = text.replace(/\(([^()\s#]*)#([\w-]+)(-\d+)\)/g, (link, file, place, count) => {
    const target = file === "" ? text : readFileSync(join(dirname(page), file), "utf8");
    return placesOf(target).has(place + count) ? link : `(${file}#${place})`;
  });
  writeFileSync(page, linked);
}

function placesOf(text) {
  const slugger = new GithubSlugger();
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, words]) => slugger.slug(words));
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]*)"/g)].map(([, id]) => id)]);
}

/** TypeDoc calls a module by its source: `debug/check` is the entry `check`. */
function nameOf(module, entries) {
  const found = Object.entries(entries).find(
    ([, source]) => source.replace(/^\.\/src\/|(\/index)?\.ts$/g, "") === module,
  );
  if (found === undefined) throw new Error(`no entry has the source ${module}`);
  return found[0];
}

// `virtual:comment-parser`: the worker that parses sources for their comments, and the grammars that it
// loads. They are needed by few visits, are no part of the page's own chunks, and the single file has none.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rollup } from "rollup";

const ID = "virtual:comment-parser";
const entry = "src/comments/parser-worker.ts";
const grammars = new URL("node_modules/@idewire/paired-comments/dist/grammars/", import.meta.url);

/** What web-tree-sitter imports in Node alone. */
const external = ["fs/promises", "module"];

/** web-tree-sitter evaluates code of grammars that have JavaScript in them: these have none. */
function onwarn(warning) {
  if (warning.code !== "EVAL") throw new Error(warning.message);
}

function virtual(load) {
  return {
    name: "comment-parser",
    resolveId: (source) => (source === ID ? `\0${ID}` : null),
    load(id) {
      return id === `\0${ID}` ? load.call(this) : null;
    },
  };
}

/** @param options of the page's build, without its outputs */
export function commentParser(options) {
  return virtual(async function () {
    const bundle = await rollup({ ...options, input: entry, external, onwarn });
    const { output } = await bundle.generate({ format: "es", inlineDynamicImports: true });
    await bundle.close();
    const [{ code, moduleIds }] = output;
    for (const file of moduleIds.filter((id) => id.startsWith("/"))) this.addWatchFile(file);
    const name = `comment-parser-${createHash("sha256").update(code).digest("hex").slice(0, 8)}.js`;
    this.emitFile({ type: "asset", fileName: `assets/${name}`, source: code });
    for (const fileName of readdirSync(grammars)) {
      const source = readFileSync(new URL(fileName, grammars));
      this.emitFile({ type: "asset", fileName: `grammars/${fileName}`, source });
    }
    return [
      `export const parserUrl = new URL("./${name}", import.meta.url).href;`,
      'export const grammarsUrl = new URL("../grammars/", import.meta.url).href;',
    ].join("\n");
  });
}

/** For the single file: a page from a disk loads nothing. */
export function noCommentParser() {
  return virtual(() => 'export const parserUrl = undefined; export const grammarsUrl = "";');
}

/** For the development server, which serves all files where they are. */
export function servedCommentParser() {
  const urls = [
    `export const parserUrl = "/${entry}";`,
    `export const grammarsUrl = new URL("/@fs${fileURLToPath(grammars)}", location.href).href;`,
  ];
  return virtual(() => urls.join("\n"));
}

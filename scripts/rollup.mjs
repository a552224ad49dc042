// One rollup configuration for every library package, read from its package.json:
// each export with a source condition becomes one file in dist.
import { readFileSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import esbuild from "rollup-plugin-esbuild";

/**
 * Call it from a package's rollup.config.mjs; rollup runs in that package's folder.
 * @param files sources that are each bundled into one file, by the name of that file: finding and reading
 * another file costs more than parsing unneeded code
 */
export function library({ target = "es2022", files = {} } = {}) {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const entries = Object.values(manifest.exports).filter((entry) => entry["@idewire/source"]);
  const libraries = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  return {
    input: Object.fromEntries(
      entries.map((entry) => [basename(entry.default, ".js"), entry["@idewire/source"]]),
    ),
    external: (id) =>
      id.startsWith("node:") || libraries.some((name) => id === name || id.startsWith(`${name}/`)),
    // As `sideEffects` declares in each manifest.
    treeshake: { moduleSideEffects: false },
    plugins: [
      emptyFolder(dirname(entries[0].default)),
      esbuild({ target, sourceMap: true }),
      pureInitialisers(),
    ],
    output: {
      dir: dirname(entries[0].default),
      format: "es",
      chunkFileNames: "shared-[name].js",
      // Hoisted imports have no names, and bundlers warn about such an import of a module without side effects.
      hoistTransitiveImports: false,
      manualChunks: (id) => Object.keys(files).find((name) => files[name].test(id)),
      sourcemap: true,
      // The package contains src.
      sourcemapExcludeSources: true,
    },
    onwarn(warning) {
      throw new Error(warning.message);
    },
  };
}

function emptyFolder(folder) {
  return {
    name: "empty-folder",
    buildStart: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Marks each module-level `const x = f()` as removable when x is unused: `sideEffects: false` applies only to
 * whole modules, which a bundler cannot distinguish in one file.
 */
function pureInitialisers() {
  return {
    name: "pure-initialisers",
    transform(code) {
      const calls = this.parse(code)
        .body.map((statement) => statement.declaration ?? statement)
        .filter(({ type }) => type === "VariableDeclaration")
        .flatMap(({ declarations }) => declarations.flatMap(({ init }) => callsAtLoad(init)));
      const starts = [...new Set(calls.map(({ start }) => start))].sort((a, b) => b - a);
      const marked = starts.reduce(
        (text, start) => `${text.slice(0, start)}/* @__PURE__ */ ${text.slice(start)}`,
        code,
      );
      return { code: marked, map: null };
    },
  };
}

/** The calls in an expression that run when its module loads: all except those inside functions. */
function callsAtLoad(node) {
  if (Array.isArray(node)) return node.flatMap(callsAtLoad);
  if (typeof node?.type !== "string" || node.type.includes("Function")) return [];
  const inside = Object.values(node).flatMap(callsAtLoad);
  return ["CallExpression", "NewExpression"].includes(node.type) ? [node, ...inside] : inside;
}

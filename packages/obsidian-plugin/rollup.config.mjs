// One CommonJS file, as Obsidian loads it, and one style sheet.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import commonjs from "@rollup/plugin-commonjs";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import esbuild, { minify } from "rollup-plugin-esbuild";
import * as terser from "terser";
import { lean } from "./lean.mjs";

/** What Obsidian gives a plugin at run time: a second copy of these would break it. */
const given = [
  "obsidian",
  "electron",
  ...["autocomplete", "collab", "commands", "language", "lint", "search", "state", "view"].map(
    (name) => `@codemirror/${name}`,
  ),
  ...["common", "highlight", "lr"].map((name) => `@lezer/${name}`),
];

const external = new Set([...given, ...builtinModules]);

export default {
  input: "src/main.ts",
  external: (id) => id.startsWith("node:") || external.has(id),
  // What is imported and not used is not required either: a plugin that starts no process shows it.
  treeshake: { moduleSideEffects: "no-external" },
  plugins: [
    emptyFolder(),
    lean(),
    // One copy of what both we and core import.
    nodeResolve({ preferBuiltins: true, exportConditions: ["node"], dedupe: ["valibot"] }),
    commonjs({ ignoreDynamicRequires: true, strictRequires: false }),
    esbuild({ target: "es2022" }),
    releaseFiles(),
  ],
  output: {
    file: "dist/main.js",
    format: "cjs",
    exports: "default",
    plugins: [minify({ target: "es2022" }), minifyAgain()],
  },
  onwarn(warning) {
    // What is left out imported it.
    if (warning.code === "UNUSED_EXTERNAL_IMPORT") return;
    throw new Error(warning.message);
  },
};

function emptyFolder() {
  return {
    name: "empty-folder",
    buildStart: () => rmSync("dist", { recursive: true, force: true }),
  };
}

/** Each of the two minifiers knows what the other does not: terser alone leaves 3 kB more. */
function minifyAgain() {
  // No anonymous function of ours or of the libraries is called with `new`.
  const compress = { passes: 3, unsafe_arrows: true };
  return {
    name: "minify-again",
    renderChunk: (code) => terser.minify(code, { ecma: 2022, module: true, compress }),
  };
}

/** Obsidian installs main.js, manifest.json and styles.css, and nothing else. */
function releaseFiles() {
  return {
    name: "release-files",
    buildEnd(error) {
      if (error !== undefined) return;
      mkdirSync("dist", { recursive: true });
      copyFileSync("manifest.json", "dist/manifest.json");
      const sheets = readdirSync("styles").filter((name) => name.endsWith(".css"));
      const texts = sheets.sort().map((name) => readFileSync(`styles/${name}`, "utf8").trim());
      writeFileSync("dist/styles.css", `${texts.join("\n\n")}\n`);
    },
  };
}

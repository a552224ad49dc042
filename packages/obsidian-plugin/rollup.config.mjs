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
  // No anonymous function of ours or of the libraries is called with `new`, and none of their
  // getters does anything but get.
  const compress = { passes: 3, unsafe_arrows: true, pure_getters: true };
  return {
    name: "minify-again",
    renderChunk(code) {
      const variable = withoutConst(code, this.parse(code));
      return terser.minify(variable, { ecma: 2022, module: true, compress });
    },
  };
}

/** The compiler has seen that nothing is assigned to a const; as a let it joins what stands beside it. */
function withoutConst(code, program) {
  const starts = [];
  const visit = (node) => {
    if (node === null || typeof node !== "object") return;
    if (node.type === "VariableDeclaration" && node.kind === "const") starts.push(node.start);
    for (const part of Object.values(node)) visit(part);
  };
  visit(program);
  const last = starts.sort((a, b) => a - b).length - 1;
  const parts = starts.map((start, i) => {
    return `let${code.slice(start + "const".length, i === last ? undefined : starts[i + 1])}`;
  });
  return code.slice(0, starts[0]) + parts.join("");
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

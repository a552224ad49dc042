// One CommonJS file, as Obsidian loads it, and one style sheet.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import commonjs from "@rollup/plugin-commonjs";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { minifySync, transformSync } from "rolldown/utils";
import esbuild from "rollup-plugin-esbuild";
import { createLicences } from "../../scripts/licences.mjs";

/** What Obsidian gives a plugin at run time: a second copy of these would break it. */
const given = [
  "obsidian",
  "electron",
  ...["autocomplete", "collab", "commands", "language", "lint", "search", "state", "view"].map(
    (name) => `@codemirror/${name}`,
  ),
  ...["common", "highlight", "lr"].map((name) => `@lezer/${name}`),
];

/** The native accelerators of ws, which it looks for at run time: a plugin brings none. */
const withoutAccelerators = {
  "process.env.WS_NO_BUFFER_UTIL": '"1"',
  "process.env.WS_NO_UTF_8_VALIDATE": '"1"',
};

/**
 * What is imported and not used is not required either: the modules in main.js show what it does. The
 * manifest of diff says the same of its modules; the resolver reads it only for the first of them.
 */
const treeshake = {
  moduleSideEffects: (id, isExternal) => !isExternal && !/\/node_modules\/diff\//.test(id),
};

const licences = createLicences();

const external = new Set([...given, ...builtinModules]);

export default {
  input: "src/main.ts",
  external: (id) => id.startsWith("node:") || external.has(id),
  treeshake,
  plugins: [
    emptyFolder(),
    // One copy of what both we and core import.
    nodeResolve({ preferBuiltins: true, exportConditions: ["node"] }),
    commonjs({ ignoreDynamicRequires: true, strictRequires: false }),
    esbuild({ target: "es2022" }),
    licences.plugin,
    releaseFiles(),
  ],
  output: {
    file: "dist/main.js",
    // Obsidian loads one file.
    inlineDynamicImports: true,
    format: "cjs",
    exports: "default",
    plugins: [minify(), withLicences()],
  },
  onwarn(warning) {
    throw new Error(warning.message);
  },
};

/** The smallest result of the minifiers tried; vitest depends on it anyway. */
function minify() {
  const options = { compress: { target: "es2022" }, mangle: { toplevel: true } };
  return {
    name: "minify",
    renderChunk(code, { fileName }) {
      const constant = transformSync(fileName, code, { define: withoutAccelerators });
      return minifySync(fileName, constant.code, options).code;
    },
  };
}

/** In the bundle itself: Obsidian installs no other file for them. */
function withLicences() {
  return {
    name: "with-licences",
    generateBundle(_, bundle) {
      bundle["main.js"].code += `/*!\n${licences.text().replaceAll("*/", "* /")}*/\n`;
    },
  };
}

function emptyFolder() {
  return {
    name: "empty-folder",
    buildStart: () => rmSync("dist", { recursive: true, force: true }),
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

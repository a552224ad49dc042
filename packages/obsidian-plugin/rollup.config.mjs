// One CommonJS file, as Obsidian loads it, and one style sheet.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import commonjs from "@rollup/plugin-commonjs";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import esbuild, { minify } from "rollup-plugin-esbuild";

/** What Obsidian gives a plugin at run time: a second copy of these would break it. */
const given = [
  "obsidian",
  "electron",
  ...["autocomplete", "collab", "commands", "language", "lint", "search", "state", "view"].map(
    (name) => `@codemirror/${name}`,
  ),
  ...["common", "highlight", "lr"].map((name) => `@lezer/${name}`),
];

/** Optional accelerators of ws, which it does without. */
const absent = ["bufferutil", "utf-8-validate"];

const external = new Set([...given, ...absent, ...builtinModules]);

export default {
  input: "src/main.ts",
  external: (id) => id.startsWith("node:") || external.has(id),
  // What is imported and not used is not required either: a plugin that starts no process shows it.
  treeshake: { moduleSideEffects: "no-external" },
  plugins: [
    emptyFolder(),
    leanWs(),
    nodeResolve({ preferBuiltins: true, exportConditions: ["node"] }),
    commonjs({ ignoreDynamicRequires: true }),
    esbuild({ target: "es2022" }),
    releaseFiles(),
  ],
  output: {
    file: "dist/main.js",
    format: "cjs",
    exports: "default",
    plugins: [minify({ target: "es2022" })],
  },
  onwarn(warning) {
    throw new Error(warning.message);
  },
};

function emptyFolder() {
  return {
    name: "empty-folder",
    buildStart: () => rmSync("dist", { recursive: true, force: true }),
  };
}

/** Compression, which we keep off, and Node's streams, which we do not use, are a fifth of ws. */
function leanWs() {
  const stubs = {
    "./permessage-deflate": 'module.exports = { extensionName: "permessage-deflate" };',
    "./stream": "module.exports = undefined;",
  };
  const isOfWs = (importer) =>
    /[\\/]ws[\\/](lib[\\/][\w-]+\.js|wrapper\.mjs)$/.test(importer ?? "");
  return {
    name: "lean-ws",
    resolveId: (id, importer) => {
      const name = id.replace(/^\.\/lib\//, "./").replace(/\.js$/, "");
      return isOfWs(importer) && name in stubs ? `/lean-ws${name.slice(1)}.cjs` : null;
    },
    load: (id) => (id.startsWith("/lean-ws/") ? stubs[`.${id.slice(8, -4)}`] : null),
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

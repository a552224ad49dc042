// Two builds of the page: a folder of hashed files, which the server and any static host serve, and
// one file that works from file://.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import commonjs from "@rollup/plugin-commonjs";
import resolve from "@rollup/plugin-node-resolve";
import { minifySync } from "rolldown/utils";
import esbuild from "rollup-plugin-esbuild";
import { createLicences } from "../../scripts/licences.mjs";
import { commentParser, noCommentParser } from "./comment-parser.mjs";
import { docPages } from "./doc-pages.mjs";
import { redactionWorker } from "./redaction-worker.mjs";
import { samples } from "./samples.mjs";

const createPolicy = (connect) => [
  "default-src 'none'",
  "img-src 'self' data:",
  `connect-src 'self' ${connect}`,
  "manifest-src 'self'",
  // The views of MCP apps.
  "frame-src 'self'",
  // The blob: is the workers of regular expressions and of redaction.
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
];

/** The page talks to idewire alone. */
const POLICY = createPolicy("ws://127.0.0.1:* ws://localhost:*");
/** The inspector reaches any server, so that it is a document of its own. */
const INSPECTOR_POLICY = createPolicy("http: https:");

/** One copy of each: two would not recognise each other's objects. */
const COPIES = ["@codemirror/state", "@codemirror/view", "@codemirror/language"];

/** As their manifests say, which the resolver reads only for what is imported by a package's name. */
const treeshake = {
  moduleSideEffects: (id) =>
    !/\/packages\/(codemirror|core|devtools|http|paired-comments)\/src\/|\/node_modules\/diff\//.test(
      id,
    ),
};

const createPlugins = (licences) => [
  resolve({ browser: true, exportConditions: ["@idewire/source", "browser"], dedupe: COPIES }),
  commonjs({ include: /\/node_modules\/picomatch\// }),
  samples(),
  esbuild({
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { "process.env.NODE_ENV": '"production"' },
  }),
  licences.plugin,
  minify(),
];

const [licences, licencesOfFile] = [createLicences(), createLicences()];
const [shared, sharedOfFile] = [licences, licencesOfFile].map(createPlugins);

export default [
  {
    input: { main: "src/main.tsx", login: "src/inspect/in-page/login-redirect.ts" },
    treeshake,
    output: {
      dir: "dist",
      format: "es",
      entryFileNames: "assets/[name]-[hash].js",
      chunkFileNames: "assets/[name]-[hash].js",
      // Smaller files are merged where that loads nothing unneeded.
      experimentalMinChunkSize: 20_000,
    },
    plugins: [
      emptyFolder("dist"),
      commentParser({ treeshake, plugins: shared }),
      redactionWorker({ treeshake, plugins: shared, onwarn }),
      ...shared,
      page(),
    ],
    onwarn,
  },
  {
    input: "src/main.tsx",
    treeshake,
    output: { dir: "dist", format: "es", inlineDynamicImports: true, entryFileNames: "single.js" },
    plugins: [
      noCommentParser(),
      redactionWorker({ treeshake, plugins: sharedOfFile, onwarn }),
      ...sharedOfFile,
      singleFile(),
    ],
    onwarn,
  },
];

function emptyFolder(folder) {
  return {
    name: "empty-folder",
    buildStart: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The smallest result of the minifiers tried; vitest depends on it anyway. */
function minify() {
  const options = { module: true, compress: { target: "es2022" }, mangle: { toplevel: true } };
  return {
    name: "minify",
    renderChunk: (code, { fileName }) => minifySync(fileName, code, options).code,
  };
}

function onwarn(warning) {
  throw new Error(warning.message);
}

function styles() {
  return readdirSync("styles")
    .sort()
    .map((name) => readFileSync(join("styles", name), "utf8"))
    .join("\n")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\n\s+/g, "\n");
}

function hash(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 10);
}

/** A browser loads no modules from a disk; the page is drawn in its place before it would be seen. */
const UNOPENED =
  '<p class="unopened">Opened from a disk, this page cannot start. Open ' +
  '<a href="./playground.html">playground.html</a> instead: it is the same page in one file.</p>';

/** What the person reads after a login. */
const REDIRECTED =
  '<main class="refused-page"><h1>Inspector</h1><p role="status">The login is over: the Inspector goes on in its ' +
  "tab. This one can be closed.</p></main>\n";

function html({ policy, head, body, unopened = "" }) {
  return readFileSync("index.html", "utf8")
    .replace("<!--policy-->", `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace("<!--head-->", () => head)
    .replace("<!--unopened-->", unopened)
    .replace("<!--body-->", () => body);
}

/** The page with its style sheet, icon, manifest and service worker. */
function page() {
  return {
    name: "page",
    generateBundle(_, bundle) {
      const emit = (fileName, source) => this.emitFile({ type: "asset", fileName, source });
      const css = styles();
      const sheet = `assets/style-${hash(css)}.css`;
      const scripts = Object.values(bundle).filter(({ type }) => type === "chunk");
      const [entry, login] = ["main", "login"].map((name) =>
        scripts.find((chunk) => chunk.isEntry && chunk.name === name),
      );
      emit(sheet, css);
      emit("licences.txt", licences.text());
      emit("icon.svg", readFileSync("icon.svg", "utf8"));
      emit("manifest.webmanifest", readFileSync("manifest.webmanifest", "utf8"));
      const preload = entry.imports.map((file) => `<link rel="modulepreload" href="./${file}">`);
      const own = ["script-src 'self'", "style-src 'self'"];
      const links = [
        `<link rel="stylesheet" href="./${sheet}">`,
        '<link rel="icon" href="./icon.svg">',
      ];
      const page = {
        policy: [...POLICY, ...own].join("; "),
        head: [...links, '<link rel="manifest" href="./manifest.webmanifest">', ...preload].join(
          "\n",
        ),
        body: `<script type="module" src="./${entry.fileName}"></script>`,
        unopened: UNOPENED,
      };
      const text = html(page).replace("<html ", '<html data-inspector="./inspector.html" ');
      emit("index.html", text);
      const policy = [...INSPECTOR_POLICY, ...own].join("; ");
      const inspector = html({ ...page, policy }).replace("<html ", '<html data-live="in-page" ');
      emit("inspector.html", inspector);
      const redirect = {
        policy: ["default-src 'none'", "img-src 'self'", "base-uri 'none'", ...own].join("; "),
        head: links.join("\n"),
        body: `${REDIRECTED}<script type="module" src="./${login.fileName}"></script>`,
      };
      emit("login.html", html(redirect).replace(/<div id="app">.*\n/, ""));
      const docs = docPages(sheet);
      for (const [name, source] of docs) emit(name, source);
      const names = [...docs.map(([name]) => name), ...scripts.map(({ fileName }) => fileName)];
      const files = ["./", "inspector.html", sheet, "icon.svg", ...names];
      const worker = readFileSync("service-worker.js", "utf8")
        .replace("__FILES__", JSON.stringify(files))
        .replace("__VERSION__", hash(JSON.stringify(files) + text + inspector));
      emit("service-worker.js", worker);
    },
  };
}

/** One file, whose policy allows exactly its own script and style. */
function singleFile() {
  return {
    name: "single-file",
    generateBundle(_, bundle) {
      const [script] = Object.values(bundle);
      delete bundle[script.fileName];
      const inside = (text) => text.replaceAll("</script", "<\\/script");
      const code = inside(script.code);
      const css = styles();
      const allow = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
      const source = html({
        policy: [...POLICY, `script-src ${allow(code)}`, `style-src ${allow(css)}`].join("; "),
        head: `<style>${css}</style>`,
        body: [
          `<script type="module">${code}</script>`,
          `<script type="text/plain">\n${inside(licencesOfFile.text())}</script>`,
        ].join("\n"),
      });
      this.emitFile({ type: "asset", fileName: "playground.html", source });
    },
  };
}

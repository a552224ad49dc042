// The development server. What ships is built by rollup, with the page's content security policy, which
// this server does not have.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { servedCommentParser } from "./comment-parser.mjs";
import { servedRedactionWorker } from "./redaction-worker.mjs";
import { samples } from "./samples.mjs";

const root = fileURLToPath(new URL(".", import.meta.url));
const sheets = readdirSync(`${root}styles`).sort();

/** What the build puts into the page. */
const page = {
  name: "page",
  transformIndexHtml: (html) =>
    html
      .replace("<!--policy-->", "")
      .replace("<!--unopened-->", "")
      .replace(
        "<!--head-->",
        ['<link rel="icon" href="/icon.svg">', ...sheets.map(toLink)].join("\n"),
      )
      .replace("<!--body-->", '<script type="module" src="/src/main.tsx"></script>'),
};

function toLink(name) {
  return `<link rel="stylesheet" href="/styles/${name}">`;
}

export default defineConfig({
  root,
  plugins: [samples(), servedCommentParser(), servedRedactionWorker(), page],
  resolve: { conditions: ["@idewire/source", "browser", "module", "development"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  // index.html names no script before the plugin has put it in: a library found later reloads the page.
  optimizeDeps: { entries: ["src/main.tsx"] },
  server: { host: "127.0.0.1" },
});

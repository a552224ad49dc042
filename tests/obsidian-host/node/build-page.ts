import { cpSync, mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

/** Resolves every import of CodeMirror to one copy: two copies would not recognise each other's classes. */
const oneCodeMirror: Plugin = {
  name: "one-codemirror",
  setup(context) {
    const resolved = new Set<string>();
    context.onResolve({ filter: /^@(codemirror|lezer)\// }, async ({ path, importer, kind }) => {
      if (resolved.has(`${path} ${importer}`)) return undefined;
      resolved.add(`${path} ${importer}`);
      const own = await context.resolve(path, { resolveDir: here, kind, importer: `${here}/x` });
      // Packages that only a dependency has are left to esbuild.
      return own.errors.length > 0 ? undefined : own;
    });
  },
};

/** Bundles the page's script, once per test run; the caller removes the folder. */
export async function buildPage(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "idewire-page-"));
  const page = join(here, "../page");
  const require = createRequire(import.meta.url);
  await build({
    entryPoints: [join(page, "main.ts")],
    outfile: join(folder, "page.js"),
    bundle: true,
    format: "iife",
    platform: "browser",
    target: "chrome120",
    sourcemap: "linked",
    logLevel: "error",
    define: { "process.env.READABLE_STREAM": '""', global: "window" },
    // Otherwise Node's builtins would win over the polyfills.
    alias: { buffer: require.resolve("buffer/"), events: require.resolve("events/") },
    plugins: [oneCodeMirror],
  });
  cpSync(join(page, "css/app.css"), join(folder, "page.css"));
  return folder;
}

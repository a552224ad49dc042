// `pnpm anchors`: bundles the study's TypeScript, which Node 20 cannot run, with the sources of
// `@idewire/paired-comments`, and runs it.
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { mutants } from "./mutants.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));
const anchors = join(folder, "anchors.mjs");
const grammars = new URL("grammars.mjs", import.meta.url).href;
const args = process.argv.slice(2);
const isAblation = args.includes("--ablate");
await bundle({ main: "src/main.ts" });
const rules = isAblation ? mutants() : [];
for (const [index, mutant] of rules.entries()) {
  await bundle({ [`mutant-${index}`]: "src/engine.ts" }, mutant);
}
const { measureAnchors } = await import("./dist/main.js");
process.exitCode = await measureAnchors(
  args,
  rules.map(({ name, isOfReading, languages }, index) => {
    const module = `./mutant-${index}.js`;
    return { name, isOfReading, languages, module };
  }),
);

/** Bundles entries from source; for a mutant, with one source replaced. */
async function bundle(entryPoints, mutant) {
  await build({
    absWorkingDir: folder,
    entryPoints,
    outdir: "dist",
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@idewire/source"],
    plugins: [fromSource(mutant)],
  });
}

function fromSource(mutant) {
  return {
    name: "from-source",
    setup(context) {
      if (mutant !== undefined) {
        context.onResolve({ filter: /^@idewire\/paired-comments$/ }, () => ({ path: anchors }));
        context.onResolve({ filter: /^web-tree-sitter$/ }, () => ({
          path: grammars,
          external: true,
        }));
        context.onLoad({ filter: /anchors\/.*\.ts$/ }, ({ path }) =>
          path === mutant.file ? { contents: mutant.text, loader: "ts" } : undefined,
        );
      }
      context.onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, kind, ...from }) => {
        const isOurs = path.startsWith("@idewire/") || kind === "entry-point";
        if (isOurs || path.startsWith("node:") || pluginData?.isNested) return undefined;
        const { resolveDir } = from;
        const found = await context.resolve(path, {
          resolveDir,
          kind,
          pluginData: { isNested: true },
        });
        return found.external ? found : { path: pathToFileURL(found.path).href, external: true };
      });
    },
  };
}

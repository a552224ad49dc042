import { cpSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import { library } from "../../scripts/rollup.mjs";

const built = "../web-playground/dist";

/** Says of a file whether the bridge serves it: not what an older build of the page has left, either. */
function createFilter() {
  const worker = readFileSync(`${built}/service-worker.js`, "utf8");
  const [, files] = /^const FILES = (\[.*?\]);/m.exec(worker);
  const assets = new Set(JSON.parse(files).map((file) => basename(file)));
  return (path) => {
    // The server parses what it shows.
    if (/\/dist\/grammars$/.test(path)) return false;
    if (/(service-worker\.js|(?:playground|inspector|login)\.html)$/.test(path)) return false;
    return !/\/assets\/[^/]+$/.test(path) || assets.has(basename(path));
  };
}

// The page is part of the command: `idewire serve --web`.
const page = {
  name: "page",
  writeBundle: () => cpSync(built, "dist/web", { recursive: true, filter: createFilter() }),
};

// So are the plugins of editors, which `idewire editor` finds.
const editors = {
  name: "editors",
  writeBundle() {
    rmSync("editors", { recursive: true, force: true });
    const filter = (path) =>
      statSync(path).isDirectory()
        ? !/\/(test|node_modules)$/.test(path)
        : /\.(lua|txt|el)$/.test(path);
    cpSync("../../editors", "editors", { recursive: true, filter });
  },
};

const config = library({ target: "node20" });

export default { ...config, plugins: [...config.plugins, page, editors] };

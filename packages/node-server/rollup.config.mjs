import { cpSync } from "node:fs";
import { library } from "../../scripts/rollup.mjs";

/** What the bridge never serves. */
const isServed = (path) => !/(service-worker\.js|playground\.html)$/.test(path);

// The page is part of the command: `idewire serve --web`.
const page = {
  name: "page",
  writeBundle: () =>
    cpSync("../web-playground/dist", "dist/web", { recursive: true, filter: isServed }),
};

const config = library({ target: "node20" });

export default { ...config, plugins: [...config.plugins, page] };

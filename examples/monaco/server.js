// The same server for another page: node server.js [folder]
import { fileURLToPath } from "node:url";
import { main } from "../codemirror/server.js";

export const page = {
  folder: new URL("./", import.meta.url),
  scripts: ["page.ts", "worker.ts"],
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await main({ page });

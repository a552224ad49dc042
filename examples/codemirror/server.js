// The page and the files of a folder, for one person: node server.js [folder]
import { randomBytes } from "node:crypto";
import { readFile, realpath, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { serveHosts } from "@idewire/node-server";
import { build } from "esbuild";
import { WebSocketServer } from "ws";

const names = ["welcome.md", "notes.md", "tasks.md"];
const codeMirrorPage = { folder: new URL("./", import.meta.url), scripts: ["page.ts"] };

/**
 * @param page the folder of the scripts that the page loads, and their names
 * @param listen options of `listenIde`
 */
export async function openServer(folder, { port = 0, page = codeMirrorPage, ...listen } = {}) {
  const root = await realpath(folder);
  const key = randomBytes(32).toString("base64url");
  const { outputFiles } = await build({
    entryPoints: page.scripts.map((name) => fileURLToPath(new URL(name, page.folder))),
    bundle: true,
    format: "esm",
    loader: { ".ttf": "dataurl" },
    logLevel: "error",
    outdir: "/",
    write: false,
  });
  const server = createServer(async (request, response) => {
    const name = request.url.slice("/files/".length);
    const built = outputFiles.find(({ path }) => path.endsWith(request.url));
    if (request.url === `/?key=${key}`) {
      response.setHeader("set-cookie", `key=${key}; HttpOnly; SameSite=Strict`);
      response.end(await readFile(new URL("index.html", import.meta.url)));
    } else if (!isOwner(request)) response.writeHead(403).end("Open the address that was printed");
    else if (built !== undefined) {
      const type = request.url.endsWith(".css") ? "text/css" : "text/javascript";
      response.setHeader("content-type", type).end(built.text);
    } else if (request.url === "/folder") response.end(JSON.stringify({ root, names }));
    else if (!names.includes(name)) response.writeHead(404).end();
    else if (request.method === "PUT") {
      await writeFile(`${root}/${name}`, request);
      response.end();
    } else response.end(await readFile(`${root}/${name}`).catch(() => ""));
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const isOwner = ({ headers }) => headers.cookie?.split("; ").includes(`key=${key}`) === true;
  const pages = serveHosts(new WebSocketServer({ server, path: "/editor" }), {
    authenticate: (request) => isOwner(request) && request.headers.origin === origin,
    listen,
  });
  return { url: `${origin}/?key=${key}`, close: () => pages.close().then(() => server.close()) };
}

/** Serves the folder of the command line, or the sample. */
export async function main(options) {
  const sample = fileURLToPath(new URL("files", codeMirrorPage.folder));
  const { url } = await openServer(process.argv[2] ?? sample, options);
  console.log(`Open ${url}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

// The page and the files of a folder, for one person: node server.js [folder]
import { randomBytes } from "node:crypto";
import { readFile, realpath, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { serveHosts } from "@idewire/node-server";
import { build } from "esbuild";
import { WebSocketServer } from "ws";

const names = ["welcome.md", "notes.md", "tasks.md"];
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** @param listen options of `listenIde` */
export async function openServer(folder, { port = 0, ...listen } = {}) {
  const root = await realpath(folder);
  const key = randomBytes(32).toString("base64url");
  const script = await build({
    entryPoints: [here("page.ts")],
    bundle: true,
    format: "esm",
    logLevel: "error",
    write: false,
  });
  const server = createServer(async (request, response) => {
    const name = request.url.slice("/files/".length);
    if (request.url === `/?key=${key}`) {
      response.setHeader("set-cookie", `key=${key}; HttpOnly; SameSite=Strict`);
      response.end(await readFile(here("index.html")));
    } else if (!isOwner(request)) response.writeHead(403).end("Open the address that was printed");
    else if (request.url === "/page.js") {
      response.setHeader("content-type", "text/javascript").end(script.outputFiles[0].text);
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await openServer(process.argv[2] ?? here("files"));
  console.log(`Open ${url}`);
}

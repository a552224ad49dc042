import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { IdewireError } from "@idewire/core/rpc";

/** A file of the page, as served. */
export interface PageFile {
  readonly body: Buffer;
  readonly type: string;
  /** Whether its name changes with its content. */
  readonly isHashed: boolean;
  /** In place of the headers of the page itself. */
  readonly headers?: Readonly<Record<string, string>>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

/**
 * Without a service worker the page is never shown from a cache while no server runs; the documents that connect to
 * other servers are for pages without idewire.
 */
const LEFT_OUT = new Set(["service-worker.js", "playground.html", "inspector.html", "login.html"]);

/** The subject of a page: a folder to edit, or an inspection to show. */
export type PageKind = "folder" | "inspect";

/**
 * Reads the built page, by the paths under which it is served. Requested paths never reach the file system.
 * @throws IdewireError `not-found` when it was not built
 */
export function readPageFiles(
  kind: PageKind = "folder",
  folder: string = findPage(),
): ReadonlyMap<string, PageFile> {
  if (!existsSync(join(folder, "index.html"))) {
    throw new IdewireError("invalid-argument", `There is no page in ${folder}; build it first`);
  }
  const files = new Map<string, PageFile>();
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const path = name.split(sep).join("/");
    const type = TYPES[extname(path)];
    const native = join(folder, name);
    if (type === undefined || LEFT_OUT.has(path) || !statSync(native).isFile()) continue;
    files.set(`/${path}`, {
      body: readFileSync(native),
      type,
      isHashed: path.startsWith("assets/"),
    });
  }
  const index = files.get("/index.html");
  const scripts = [...files.keys()].filter((path) => path.endsWith(".js"));
  if (index !== undefined) files.set("/", { ...index, body: markLive(index.body, kind, scripts) });
  files.delete("/index.html");
  return files;
}

/**
 * Marks the page with its subject, and makes the browser prefetch all scripts: lazily loaded ones may be needed
 * after the server has stopped.
 */
function markLive(html: Buffer, kind: PageKind, scripts: readonly string[]): Buffer {
  const text = html.toString().replaceAll("idewire playground", "idewire");
  const links = scripts.map((path) => `<link rel="prefetch" href=".${path}">\n`).join("");
  return Buffer.from(
    text
      .replace(/ data-inspector="[^"]*"/, "")
      .replace("<html ", `<html data-live="${kind}" `)
      .replace("</head>", () => `${links}</head>`),
  );
}

/** The built page, in the folder of this package. */
function findPage(): string {
  for (let folder = new URL(".", import.meta.url); ; folder = new URL("..", folder)) {
    if (existsSync(new URL("package.json", folder))) {
      return fileURLToPath(new URL("dist/web", folder));
    }
    if (folder.pathname === "/") return fileURLToPath(new URL("dist/web", import.meta.url));
  }
}

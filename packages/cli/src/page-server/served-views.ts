import { randomBytes } from "node:crypto";
import type { View } from "@idewire/devtools/internal";
import type { PageFile } from "./page-files.ts";

/** More are more than a page shows; the oldest is served no longer. */
const MAX_VIEWS = 16;

/** The views of one page among the files of its server, each at a path that nobody can guess. */
export class ServedViews {
  readonly #files: Map<string, PageFile>;
  /** By the connection in the log, oldest first. */
  readonly #paths = new Map<string, string>();

  constructor(files: Map<string, PageFile>) {
    this.#files = files;
  }

  /** Serves a view. @returns its path */
  add(ch: string, { html, policy }: View): string {
    const [oldest] = this.#paths.keys();
    if (oldest !== undefined && this.#paths.size >= MAX_VIEWS) this.remove(oldest);
    const path = `/view/${randomBytes(32).toString("base64url")}`;
    this.#paths.set(ch, path);
    this.#files.set(path, {
      body: Buffer.from(html),
      type: "text/html; charset=utf-8",
      isHashed: false,
      headers: { "Content-Security-Policy": policy, "X-Frame-Options": "SAMEORIGIN" },
    });
    return path;
  }

  has(ch: string): boolean {
    return this.#paths.has(ch);
  }

  remove(ch: string): void {
    const path = this.#paths.get(ch);
    if (path !== undefined) this.#files.delete(path);
    this.#paths.delete(ch);
  }

  clear(): void {
    for (const ch of [...this.#paths.keys()]) this.remove(ch);
  }
}

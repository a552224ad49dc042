/** A tool, prompt or resource of a server, and the method that uses it. */
export interface ServerItem {
  readonly server: string;
  readonly method: "tools/call" | "prompts/get" | "resources/read";
  /** A name, a URI or a URI template. */
  readonly item: string;
}

/** Distinguishes the items of all servers. */
export function keyOf({ server, method, item }: ServerItem): string {
  return JSON.stringify([server, method, item]);
}

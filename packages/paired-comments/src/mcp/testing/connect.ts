import { McpClient } from "@idewire/core/client";
import { createMemoryTransportPair } from "@idewire/core/rpc";
import { createSourceReader, type SourceReader } from "../../anchors/syntax/parsers.ts";
import { readGrammarFile } from "../../grammar-files.ts";
import { CommentStore } from "../../store/comment-store.ts";
import { createMemoryWorkspace } from "../../store/memory-workspace.ts";
import { type CommentServer, createCommentServer } from "../comment-server.ts";
import type { ErrorStyle } from "../comment-tool.ts";

export const reader: SourceReader = createSourceReader(readGrammarFile);
export const source = `class AuthService {
  validatePassword(p) {
    return check(p);
  }
}
`;

export interface Options {
  readonly errors?: ErrorStyle;
  /** Called when the list of resources has changed. */
  readonly onList?: () => void;
}

export async function connect({ errors, onList }: Options = {}) {
  const workspace = createMemoryWorkspace({ "src/auth.js": source });
  let served: CommentServer | undefined;
  const onchange = (path: string) => served?.changed(path);
  const store = new CommentStore({ workspace, reader, onchange });
  served = createCommentServer({ store, errors });
  const [agentEnd, serverEnd] = createMemoryTransportPair();
  served.server.connect(serverEnd, { context: undefined });
  const client = await McpClient.connect(agentEnd, { name: "agent", version: "1", era: "legacy" });
  client.on("notifications/resources/list_changed", () => onList?.());
  return { client, workspace, changed: served.changed };
}

export const wanted = {
  filePath: "src/auth.js",
  line: 2,
  text: "TODO: Add rate limiting",
  tag: "TODO",
  author: "claude",
  aiMeta: { model: "claude-sonnet-4.5", confidence: 0.95, reasoning: "best practice" },
};

export function textOf({ content }: { readonly content: readonly object[] }): string {
  return content.map((item) => ("text" in item ? item.text : "")).join("\n");
}

export function contentOf({ structuredContent }: { readonly structuredContent?: unknown }) {
  return Object(structuredContent) as Readonly<Record<string, unknown>>;
}

export async function add(client: McpClient, args: object = {}): Promise<string> {
  return String(contentOf(await client.callTool("add_comment", { ...wanted, ...args }))["id"]);
}

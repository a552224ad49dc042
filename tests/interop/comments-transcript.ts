/** The common members of the clients of both SDKs. */
export interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(params: { readonly name: string; readonly arguments: object }): Promise<object>;
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  listResourceTemplates(): Promise<{
    readonly resourceTemplates: readonly { readonly uriTemplate: string }[];
  }>;
  readResource(params: { readonly uri: string }): Promise<{ readonly contents: readonly object[] }>;
  listPrompts(): Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
  getPrompt(params: {
    readonly name: string;
    readonly arguments: Readonly<Record<string, string>>;
  }): Promise<{ readonly messages: readonly object[] }>;
  complete(
    params: object,
  ): Promise<{ readonly completion: { readonly values: readonly string[] } }>;
}

export const source = `class AuthService {
  validatePassword(p) {
    return check(p) && strong(p);
  }
}
`;

const root = "comment://workspace/";

/**
 * Calls all tools, resources and prompts for `src/auth.js`, which contains the source, and records the answers
 * without ids and times.
 */
export async function transcribe(client: AnyClient): Promise<readonly unknown[]> {
  const written: unknown[] = [];
  const write = (value: unknown) => void written.push(value);
  const call = async (name: string, args: object) => {
    const result = await client.callTool({ name, arguments: args });
    const { content, structuredContent, isError, _meta } = result as Readonly<
      Record<string, unknown>
    >;
    const { name: error, data } = Object(Object(_meta)["idewire/error"]);
    write({ name, content, structuredContent, isError, error, data });
    return Object(structuredContent) as { readonly id: string };
  };
  const file = { filePath: "src/auth.js" };
  write((await client.listTools()).tools.map(({ name }) => name));
  const text = "TODO: Add rate limiting";
  const aiMeta = { model: "claude-sonnet-4.5", confidence: 0.95 };
  const { id } = await call("add_comment", { ...file, line: 2, text, tag: "TODO", aiMeta });
  await call("add_comment", { ...file, line: 99, text, tag: "NOTE" });
  await call("get_file_comments", file);
  await call("search_comments", { query: "rate|limit", filters: { hasAIMetadata: true } });
  await call("edit_comment", { ...file, commentId: id, text: "TODO: Limit the rate" });
  const target = { sourceFile: "src/auth.js", targetFile: "src/auth.js", targetLine: 3 };
  await call("move_comment", { ...target, commentId: id });
  for (const format of ["json", "markdown", "jsonl"]) {
    await call("export_comments", { format, options: { includeSourceContext: true } });
  }
  for (const path of ["all", "src/auth.js.comments", "tags/TODO", "orphaned", "ai-enriched"]) {
    write((await client.readResource({ uri: root + path })).contents);
  }
  write((await client.listResources()).resources.map(({ uri }) => uri));
  const { resourceTemplates } = await client.listResourceTemplates();
  write(resourceTemplates.map(({ uriTemplate }) => uriTemplate));
  const ref = { type: "ref/resource", uri: `${root}{+filePath}.comments` };
  const argument = { name: "filePath", value: "src" };
  write((await client.complete({ ref, argument })).completion.values);
  write((await client.listPrompts()).prompts.map(({ name }) => name));
  for (const name of ["review_code", "explain_complexity"]) {
    write((await client.getPrompt({ name, arguments: file })).messages);
  }
  for (const name of ["training_export", "fix_orphans"]) {
    write((await client.getPrompt({ name, arguments: {} })).messages);
  }
  await call("delete_comment", { ...file, commentId: id });
  await call("delete_comment", { ...file, commentId: id });
  return written.map(normalize);
}

/** Removes what differs between runs: ids and times. */
function normalize(value: unknown): unknown {
  const json = JSON.stringify(value)
    .replace(/\b(c|gm)_\d{10,}/g, "$1_0")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>");
  return JSON.parse(json);
}

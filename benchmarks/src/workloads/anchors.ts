import type { ImplementationName } from "../implementation.ts";
import { settledMemory } from "../memory.ts";
import type { Workload } from "../subject.ts";

const PATH = "long.ts";

/** Reads a version of the source. */
type Read = (source: string) => Promise<unknown>;

/**
 * The comments of a long source are found again after each change: one more line, or other functions throughout. The
 * floor parses the source. `measure` is by how much one reading raises the memory of the process, in MB.
 */
export const anchors: Workload = async (name, { functions = 0, comments = 0, isRewritten }) => {
  const { commentedSource, rewrittenSource } = await import("../comments/commented-file.ts");
  const { memoryOf, startPeak } = await import("../comments/server-memory.ts");
  const before = await commentedSource(PATH, { functions, comments });
  const read = await openReader(name, before);
  const lines = before.source.split("\n");
  const changed = (round: number) =>
    isRewritten === 1
      ? rewrittenSource(functions, round)
      : lines.toSpliced((round * 37) % lines.length, 0, `// line ${round}`).join("\n");
  let round = 0;
  return {
    async run() {
      await read(changed(round));
      round += 1;
      return 1;
    },
    async measure() {
      const source = changed(0);
      const { rss } = await settledMemory();
      startPeak(process.pid);
      await read(source);
      return memoryOf(process.pid).peak - rss / 1e6;
    },
    async close() {},
  };
};

async function openReader(
  name: ImplementationName,
  { source, comments }: { readonly source: string; readonly comments: string },
): Promise<Read> {
  if (name === "floor") {
    const { default: ts } = await import("typescript-5.9");
    return async (text) => ts.createSourceFile(PATH, text, ts.ScriptTarget.Latest, true);
  }
  const { CommentStore, createMemoryWorkspace, createSourceReader } = await import(
    "@idewire/paired-comments"
  );
  const { readGrammarFile } = await import("@idewire/paired-comments/node");
  const workspace = createMemoryWorkspace({ [PATH]: source, [`${PATH}.comments`]: comments });
  const store = new CommentStore({ workspace, reader: createSourceReader(readGrammarFile) });
  await store.file(PATH);
  return (text) => {
    workspace.files.set(PATH, text);
    return store.file(PATH);
  };
}

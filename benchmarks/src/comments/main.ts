import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommentStore, createSourceReader, searchComments } from "@idewire/paired-comments";
import { createFolderWorkspace, readGrammarFile } from "@idewire/paired-comments/node";
import { writeCommented } from "./commented-file.ts";
import { measureServer } from "./server.ts";

const files = 5_000;
const commentsOfFile = 20;
const rounds = 20;

/** The workloads of one process in a folder, by name. */
const works = new Map([
  ["write", writeFiles],
  ["long", measureLongFile],
  ["many", measureManyFiles],
]);

/**
 * `pnpm bench comments`: time and memory of comments; resolves to the exit code. Each workload is measured in
 * its own process, then both in one, then through the server.
 */
export async function measureComments(): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), "idewire-bench-"));
  try {
    for (const names of [["write"], ["long"], ["many"], ["long", "many"]]) {
      console.log(names.join(" and "));
      const child = fork(new URL("comments-child.js", import.meta.url), [root, ...names]);
      const [code] = await once(child, "exit");
      if (code !== 0) return 1;
    }
    await measureServer(root);
  } finally {
    rmSync(root, { recursive: true });
  }
  return 0;
}

/** For a separate process. */
export async function runWorks(folder: string, names: readonly string[]): Promise<void> {
  for (const work of names) await works.get(work)?.(folder);
}

async function writeFiles(folder: string): Promise<void> {
  mkdirSync(join(folder, "many"));
  await writeCommented(join(folder, "long.ts"), { functions: 1_250, comments: 1_000 });
  await writeCommented(join(folder, "short.ts"), { functions: 20, comments: 5 });
  for (let index = 0; index < files; index++) {
    const path = join(folder, "many", `file-${index}.ts`);
    await writeCommented(path, { functions: 6, comments: commentsOfFile });
  }
}

function openStore(folder: string): CommentStore {
  const lock = async () => async () => {};
  // As the command reads them.
  const workspace = createFolderWorkspace({ folder, lock, readsSynchronously: true });
  return new CommentStore({ workspace, reader: createSourceReader(readGrammarFile) });
}

async function measureLongFile(folder: string): Promise<void> {
  const path = join(folder, "long.ts");
  const text = readFileSync(path, "utf8");
  const store = openStore(folder);
  await store.file("long.ts");
  writeFileSync(path, `// new\n${text.replaceAll("const sum", "const total")}`);
  await timed("1,000 comments in 10,000 lines, of which 1,250 changed; nothing cached", 1, () =>
    store.file("long.ts"),
  );
  writeFileSync(path, `// new\n${text.replaceAll("const sum", "const all")}`);
  await timed("the same again", 1, () => store.file("long.ts"));
  await timed("one edit of that file, then its comments", rounds, (round) => {
    writeFileSync(path, `${"// line\n".repeat(round + 1)}${text}`);
    return store.file("long.ts");
  });
  writeFileSync(path, text);
  const wanted = { filePath: "short.ts", line: 3, tag: "TODO", author: "bench" } as const;
  const ids: string[] = [];
  await timed("add", rounds, async (round) => {
    ids.push((await store.add({ ...wanted, text: `TODO: number ${round}` })).comment.id);
  });
  await timed("edit", rounds, (round) => store.edit("short.ts", ids[round] ?? "", { text: "new" }));
  await timed("delete", rounds, (round) => store.remove("short.ts", ids[round] ?? ""));
  reportMemory("afterwards");
}

async function measureManyFiles(folder: string): Promise<void> {
  const store = openStore(join(folder, "many"));
  await timed("all comments of 5,000 files, first", 1, () => store.all());
  await timed("all comments of 5,000 files, later", rounds, () => store.all());
  const all = await store.all();
  await timed("100,000 comments searched", 3, async () =>
    searchComments(all.files, { query: "number (1|7)+ of" }),
  );
  reportMemory("with 100,000 comments");
}

/** Prints the median. */
async function timed(
  what: string,
  times: number,
  act: (round: number) => Promise<unknown>,
): Promise<void> {
  const took: number[] = [];
  for (let round = 0; round < times; round++) {
    const start = performance.now();
    await act(round);
    took.push(performance.now() - start);
  }
  const median = took.sort((a, b) => a - b)[took.length >> 1] ?? 0;
  console.log(`${median.toFixed(1).padStart(9)} ms  ${what}`);
}

function reportMemory(when: string): void {
  const megabytes = process.memoryUsage().rss / 1e6;
  console.log(`${megabytes.toFixed(1).padStart(9)} MB  RSS ${when}`);
}

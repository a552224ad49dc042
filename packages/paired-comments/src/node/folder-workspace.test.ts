import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { createSourceReader } from "../anchors/syntax/parsers.ts";
import { serverFile } from "../format/fixtures/dialects.ts";
import { readGrammarFile } from "../grammar-files.ts";
import { CommentStore } from "../store/comment-store.ts";
import { createFolderWorkspace } from "./folder-workspace.ts";
import { demandInside } from "./read-inside.ts";

const reader = createSourceReader(readGrammarFile);
const note = { line: 1, text: "x", tag: "NOTE", author: "ann" } as const;

function open() {
  const parent = temporaryFolder("comments-");
  const folder = join(parent, "ws");
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "src/a.ts"), "run();\n");
  const workspace = createFolderWorkspace({ folder, lock: async () => async () => {} });
  return { parent, folder, store: new CommentStore({ workspace, reader }) };
}

test("comments are written beside the source, whole, without leftover drafts", async () => {
  const { store, folder } = open();
  await store.add({ ...note, filePath: "src/a.ts" });
  expect(readdirSync(join(folder, "src")).sort()).toEqual(["a.ts", "a.ts.comments"]);
  expect((await store.all()).files.map(({ filePath }) => filePath)).toEqual(["src/a.ts"]);
});

test("a folder whose name starts like the workspace's is outside it", async () => {
  const { store, parent } = open();
  mkdirSync(join(parent, "ws-evil"));
  writeFileSync(join(parent, "ws-evil/x.ts"), "a();\n");
  symlinkSync(join(parent, "ws-evil"), join(parent, "ws/link"));
  for (const filePath of ["../ws-evil/x.ts", "link/x.ts"]) {
    await expect(store.add({ ...note, filePath })).rejects.toMatchObject({
      name: filePath.startsWith("..") ? "InvalidFilePath" : "FileAccessDenied",
    });
  }
  expect(existsSync(join(parent, "ws-evil/x.ts.comments"))).toBe(false);
});

test("a link out of the workspace is refused in the same way, whether or not its target exists", async () => {
  const { store, folder, parent } = open();
  symlinkSync(join(parent, "secret.ts"), join(folder, "src/gone.ts"));
  writeFileSync(join(parent, "there.ts"), "a();\n");
  symlinkSync(join(parent, "there.ts"), join(folder, "src/there.ts"));
  const [gone, there] = await Promise.allSettled(
    ["src/gone.ts", "src/there.ts"].map((path) => store.file(path)),
  );
  expect(gone).toMatchObject({ status: "rejected", reason: { code: -32004 } });
  expect(there).toMatchObject({ status: "rejected", reason: { code: -32004 } });
});

test("a link to a secret is refused, even inside the workspace", async () => {
  const { store, folder } = open();
  writeFileSync(join(folder, ".env"), "KEY=1\n");
  symlinkSync(".env", join(folder, "conf.py"));
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, ".git/hook.py"), "run()\n");
  symlinkSync(".git", join(folder, "links"));
  for (const filePath of ["conf.py", "links/hook.py"]) {
    await expect(store.add({ ...note, filePath })).rejects.toMatchObject({ code: -32004 });
  }
});

test.skipIf(!existsSync("/proc/self/fd"))(
  "a file that turns out to be outside the workspace once opened is refused, the system's own included",
  () => {
    const { folder } = open();
    for (const path of ["/proc/self/environ", join(folder, "../there.ts")]) {
      if (!path.startsWith("/proc")) writeFileSync(path, "a();\n");
      const fd = openSync(path, "r");
      try {
        expect(() => demandInside(folder, fd, "src/a.ts")).toThrow("File access denied");
      } finally {
        closeSync(fd);
      }
    }
  },
);

test.skipIf(!existsSync("/proc/self/fd"))(
  "a folder that becomes a link out of the workspace during a write has nothing created behind it",
  async () => {
    const { parent, folder } = open();
    const inside = join(parent, "ws/src");
    const kept = join(parent, "ws/kept");
    const outside = join(parent, "there");
    mkdirSync(outside);
    const workspace = createFolderWorkspace({ folder, lock: async () => async () => {} });
    for (const act of ["write", "backup", "remove"] as const) {
      writeFileSync(join(inside, "a.ts.comments"), "{}");
      writeFileSync(join(outside, "a.ts.comments"), "theirs");
      utimesSync(outside, 1, 1);
      await workspace.update(["src/a.ts"], async (files) => {
        const text = act === "remove" ? undefined : "{}";
        const done = act === "backup" ? files.backup("src/a.ts") : files.write("src/a.ts", text);
        // The path of the folder has been resolved, and no file has been opened yet.
        renameSync(inside, kept);
        symlinkSync(outside, inside);
        await done.catch((error: unknown) => expect(error).toMatchObject({ code: -32004 }));
      });
      // The modification time reveals a file that was created and removed.
      expect(statSync(outside).mtimeMs).toBe(1_000);
      rmSync(inside);
      renameSync(kept, inside);
    }
  },
);

test("a workspace that is replaced during a change receives nothing of the previous one", async () => {
  const { parent, folder } = open();
  const workspace = createFolderWorkspace({ folder, lock: async () => async () => {} });
  for (const act of ["write", "backup", "remove"] as const) {
    await workspace.update(["src/a.ts"], async (files) => {
      renameSync(folder, join(parent, `before-${act}`));
      mkdirSync(join(folder, "src"), { recursive: true });
      writeFileSync(join(folder, "src/a.ts.comments"), "theirs");
      const text = act === "remove" ? undefined : "{}";
      const done = act === "backup" ? files.backup("src/a.ts") : files.write("src/a.ts", text);
      await expect(done).rejects.toMatchObject({
        ...{ code: -32004, data: { suggestion: expect.stringContaining("was replaced") } },
      });
    });
    expect(readdirSync(join(folder, "src"))).toEqual(["a.ts.comments"]);
    expect(readFileSync(join(folder, "src/a.ts.comments"), "utf8")).toBe("theirs");
  }
  await workspace.update(["src/a.ts"], (files) => files.write("src/a.ts", "{}"));
  expect(readFileSync(join(folder, "src/a.ts.comments"), "utf8")).toBe("{}");
});

test("backups and strays of the original's programs are not comments files", async () => {
  const { store, folder } = open();
  const text = JSON.stringify(serverFile);
  for (const name of [
    "a.ts.comments",
    "a.ts.backup-2025-10-19T09-57-09-453Z.comments",
    "a.ts.comments.comments",
    "a.ts.comments.backup-2025-10-18T19-55-33-139Z.comments",
    "a.ts.tmp.2684.1760744462216.comments",
  ]) {
    writeFileSync(join(folder, "src", name), text);
  }
  const { files } = await store.all();
  expect(files.map(({ filePath }) => filePath)).toEqual(["src/a.ts"]);
});

test("other work continues while a file is read, unless it is read synchronously", async () => {
  const { folder } = open();
  writeFileSync(join(folder, "src/long.ts"), "a".repeat(40_000_000));
  const turnsDuring = async (readsSynchronously: boolean | undefined) => {
    const lock = async () => async () => {};
    const workspace = createFolderWorkspace({ folder, lock, readsSynchronously });
    let turns = 0;
    const ticking = setInterval(() => turns++, 0);
    await workspace.readSource("src/long.ts");
    clearInterval(ticking);
    return turns;
  };
  expect(await turnsDuring(undefined)).toBeGreaterThan(0);
  expect(await turnsDuring(true)).toBe(0);
});

test.each([false, true])(
  "synchronous and asynchronous reading allow the same files (%s)",
  async (readsSynchronously) => {
    const { folder, parent } = open();
    const lock = async () => async () => {};
    const workspace = createFolderWorkspace({ folder, lock, readsSynchronously });
    writeFileSync(join(parent, "there.ts"), "a();\n");
    symlinkSync(join(parent, "there.ts"), join(folder, "src/link.ts"));
    writeFileSync(join(folder, "src/long.ts"), "");
    truncateSync(join(folder, "src/long.ts"), 50 * 1024 * 1024 + 1);
    expect(await workspace.readSource("src/a.ts")).toBe("run();\n");
    for (const path of ["src", "src/gone.ts", "src/a.ts/b.ts"]) {
      expect(await workspace.readSource(path)).toBeUndefined();
    }
    for (const path of ["src/link.ts", "src/long.ts"]) {
      await expect(workspace.readSource(path)).rejects.toMatchObject({ code: -32004 });
    }
  },
);

test("a file that grows a comment keeps its bytes", async () => {
  const { store, folder } = open();
  const text = "\uFEFFa();\r\nb();\r\n";
  writeFileSync(join(folder, "src/a.ts"), text);
  const { marker } = await store.add({ ...note, filePath: "src/a.ts", line: 2 });
  expect(marker.tracking?.quote.exact).toBe("b();");
  const { source } = await store.file("src/a.ts");
  expect(source).toBe(text);
});

test("comments that could not be read back are not written, and the previous ones stay", async () => {
  const { folder } = open();
  const workspace = createFolderWorkspace({ folder, lock: async () => async () => {} });
  const write = (text: string) =>
    workspace.update(["src/a.ts"], (files) => files.write("src/a.ts", text));
  await write("é".repeat(25 * 1024 * 1024));
  await expect(write("é".repeat(25 * 1024 * 1024 + 1))).rejects.toMatchObject({ code: -32004 });
  expect(await workspace.readComments("src/a.ts")).toHaveLength(25 * 1024 * 1024);
});

test.each([
  ["little-endian", (text: string) => Buffer.from(text, "utf16le")],
  ["big-endian", (text: string) => Buffer.from(text, "utf16le").swap16()],
])("a source in %s UTF-16 is read by its byte order mark", async (_, encode) => {
  const { store, folder } = open();
  writeFileSync(join(folder, "src/b.ts"), encode("\ufefffirst();\nsecond(\u010a);\n"));
  const { marker } = await store.add({ ...note, filePath: "src/b.ts", line: 2 });
  expect(marker.tracking?.quote).toMatchObject({ exact: "second(\u010a);", suffix: "" });
});

test("the folders of a proposed file are created inside the workspace, and nowhere else", async () => {
  const { store, folder, parent } = open();
  const proposed = "a();\n";
  await store.add({ ...note, filePath: "new/deep/b.ts", proposed });
  expect(readdirSync(join(folder, "new/deep"))).toEqual(["b.ts.comments"]);
  mkdirSync(join(parent, "elsewhere"));
  symlinkSync(join(parent, "elsewhere"), join(folder, "link"));
  await expect(store.add({ ...note, filePath: "link/new/c.ts", proposed })).rejects.toMatchObject({
    name: "FileAccessDenied",
  });
  expect(readdirSync(join(parent, "elsewhere"))).toEqual([]);
  writeFileSync(join(folder, "plain"), "");
  await expect(store.add({ ...note, filePath: "plain/c.ts", proposed })).rejects.toMatchObject({
    name: "FileAccessDenied",
  });
});

import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { createTextReader } from "../anchors/markdown/text-reader.ts";
import { serverFile } from "../format/fixtures/dialects.ts";
import { CommentStore } from "../store/comment-store.ts";
import { createFolderWorkspace } from "./folder-workspace.ts";

const note = { filePath: "src/a.ts", line: 1, text: "x", tag: "NOTE", author: "ann" } as const;

function open() {
  const parent = temporaryFolder("comments-");
  const folder = join(parent, "ws");
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "src/a.ts"), "run();\n");
  const workspace = createFolderWorkspace({ folder, lock: async () => async () => {} });
  return { parent, folder, store: new CommentStore({ workspace, reader: createTextReader() }) };
}

test.skipIf(!existsSync("/proc/self/fd"))(
  "a folder that becomes a link out of the workspace has no lock behind it, and its own is released",
  async () => {
    const { parent, folder } = open();
    const inside = join(folder, "src");
    mkdirSync(join(parent, "there"));
    const swap = () => {
      renameSync(inside, join(folder, "kept"));
      symlinkSync(join(parent, "there"), inside);
    };
    const workspace = createFolderWorkspace({
      folder,
      async lock(file) {
        // At this point the path of the folder has been resolved.
        swap();
        writeFileSync(`${file}.lock`, "");
        return async () => rmSync(`${file}.lock`);
      },
    });
    const write = workspace.update(["src/a.ts"], (files) => files.write("src/a.ts", "{}"));
    await expect(write).rejects.toMatchObject({ code: -32004 });
    expect(readdirSync(join(parent, "there"))).toEqual([]);
    expect(readdirSync(join(folder, "kept"))).toEqual(["a.ts"]);
  },
);

test("processes that wait for a file lock it under the same name", async () => {
  const { folder } = open();
  const names: string[] = [];
  const lock = async (file: string) => {
    names.push(file);
    return async () => {};
  };
  const [one, other] = [
    createFolderWorkspace({ folder, lock }),
    createFolderWorkspace({ folder, lock }),
  ];
  await one.update(["src/a.ts"], () => other.update(["src/a.ts", "src/b.ts"], async () => {}));
  expect(new Set(names).size).toBe(2);
});

test("comments behind a link in the workspace are changed in place", async () => {
  const { store, folder } = open();
  writeFileSync(join(folder, "kept.comments"), JSON.stringify(serverFile));
  symlinkSync("../kept.comments", join(folder, "src/a.ts.comments"));
  await store.add(note);
  expect(lstatSync(join(folder, "src/a.ts.comments")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, "kept.comments"), "utf8")).toContain('"text": "x"');
});

test.each(["EROFS", "ENOSPC", "ENOENT", "EXDEV"])(
  "system errors of a lock are reported without their paths: %s",
  async (code) => {
    const { folder } = open();
    const path = join(folder, "src/a.ts.comments.lock");
    const systemError = Object.assign(new Error(`${code}: no, open '${path}'`), { code });
    for (const error of [
      systemError,
      new Error(`Cannot write ${path} (${code})`, { cause: systemError }),
    ]) {
      const workspace = createFolderWorkspace({ folder, lock: () => Promise.reject(error) });
      const refusal = await workspace.update(["src/a.ts"], async () => {}).catch((why) => why);
      expect(refusal).toMatchObject({ code: -32004, data: { reason: code } });
      expect(JSON.stringify([refusal.message, refusal.data])).not.toContain(folder);
    }
  },
);

test("a folder with the name of the comments file is reported", async () => {
  const { store, folder } = open();
  mkdirSync(join(folder, "src/a.ts.comments"));
  await expect(store.add(note)).rejects.toMatchObject({
    ...{ code: -32004, data: { suggestion: expect.stringContaining("A folder has the name") } },
  });
  expect(readdirSync(join(folder, "src")).sort()).toEqual(["a.ts", "a.ts.comments"]);
});

test("drafts of ended processes are removed with the next write, and no others", async () => {
  const { store, folder } = open();
  const { pid = 0 } = spawnSync(process.execPath, ["--version"]);
  const drafts = [`${pid}-0123456789ab.draft`, `${process.pid}-0123456789ab.draft`];
  for (const draft of drafts) writeFileSync(join(folder, `src/a.ts.comments.${draft}`), "{");
  await store.add(note);
  expect(readdirSync(join(folder, "src")).sort()).toEqual(
    ["a.ts", "a.ts.comments", `a.ts.comments.${drafts[1]}`].sort(),
  );
});

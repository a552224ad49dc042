import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  connectHost,
  createMemoryTransportPair,
  createPathMap,
  type DiffOutcome,
  mapHost,
  Peer,
  type PosixPath,
  type Range,
  serveHost,
} from "@idewire/core";
import {
  editorHostContract,
  fakeEditorHost,
  type HostUnderTest,
  posixPath,
  type TransportPair,
} from "@idewire/core/testing";
import { openFolderHost } from "@idewire/node-server/folder-host";
import { expect, test } from "vitest";
import { webSocketPair } from "../src/transport-pairs.ts";

const runner = { test, expect };
const text = "first line ✓\nsecond line\n";

/** The part of a text from one position to another. */
function slice(whole: string, { start, end }: Range): string {
  const lines = whole.split("\n");
  const offset = ({ line, character }: Range["start"]) =>
    lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, character);
  return whole.slice(offset(start), offset(end));
}

function makeFake(): HostUnderTest {
  const host = fakeEditorHost();
  const file = { path: posixPath("/vault/notes.txt"), text };
  host.writeFile(file.path, text);
  return {
    host,
    file,
    edit: (path: PosixPath, unsaved: string) => host.edit(path, unsaved),
    select: (path: PosixPath, range: Range) =>
      host.setSelection({ path, ranges: [{ ...range, text: slice(text, range) }], primary: 0 }),
    answer: (id: string, outcome: DiffOutcome) =>
      outcome.kind !== "cancelled" && host.answer(id, outcome),
  };
}

/** The same editor at the far end of a wire; what the person does takes a moment to arrive. */
async function makeRemote({ left, right, dispose }: TransportPair): Promise<HostUnderTest> {
  const fake = makeFake();
  const [near, far] = [new Peer(left), new Peer(right)];
  const [host] = await Promise.all([connectHost(near), serveHost(far, fake.host)]);
  const told = (event: "documents" | "selection", act: () => unknown) =>
    new Promise<void>((resolve) => {
      const undo = host.on(event, () => {
        undo();
        resolve();
      });
      act();
    });
  return {
    ...fake,
    host,
    edit: (path, unsaved) => told("documents", () => fake.edit(path, unsaved)),
    select: (path, range) => told("selection", () => fake.select(path, range)),
    async dispose() {
      near.close();
      await near.closed;
      await dispose?.();
    },
  };
}

editorHostContract(runner, { name: "fakeEditorHost", makeHost: makeFake });

/** The same editor as an agent in a container sees it. */
function makeMapped(): HostUnderTest {
  const fake = makeFake();
  const map = createPathMap([{ host: "/vault", agent: "/workspace" }]);
  const own = (path: PosixPath) => map.toHost(path) ?? path;
  return {
    ...fake,
    host: mapHost(fake.host, map),
    file: { path: posixPath("/workspace/notes.txt"), text },
    edit: (path, unsaved) => fake.edit(own(path), unsaved),
    select: (path, range) => fake.select(own(path), range),
  };
}

editorHostContract(runner, { name: "a host with a path map", makeHost: makeMapped });

editorHostContract(runner, {
  name: "a host over a wire, in memory",
  makeHost() {
    const [left, right] = createMemoryTransportPair();
    return makeRemote({ left, right });
  },
});

editorHostContract(runner, {
  name: "a host over a wire, over a socket",
  makeHost: async () => makeRemote(await webSocketPair()),
});

editorHostContract(runner, {
  name: "folder host",
  async makeHost() {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "idewire host ✓ ")));
    await writeFile(join(folder, "notes.txt"), text);
    const host = await openFolderHost(folder);
    return {
      host,
      file: { path: posixPath(`${host.folder}/notes.txt`), text },
      edit: async (path: PosixPath, unsaved: string) => {
        await host.open(path);
        await host.edit(path, unsaved);
      },
      select: (path: PosixPath, range: Range) => host.select(path, range),
      answer: (id: string, outcome: DiffOutcome) =>
        outcome.kind !== "cancelled" && host.answerDiff(id, outcome),
      dispose: async () => {
        await host.close();
        await rm(folder, { recursive: true });
      },
    };
  },
});

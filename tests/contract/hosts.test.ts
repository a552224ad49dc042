import { mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  connectHost,
  createPathMap,
  type EditorHost,
  type PosixPath,
  type Range,
  serveHost,
} from "@idewire/core";
import { mapHost, textOfRange } from "@idewire/core/internal";
import { createMemoryTransportPair, Peer } from "@idewire/core/rpc";
import {
  editorHostContract,
  fakeEditorHost,
  type HostUnderTest,
  type InMemoryEditor,
  posixPath,
  type TransportPair,
} from "@idewire/core/testing";
import { createMemoryContext, createScenario } from "@idewire/devtools/scenario";
import { Simulation } from "@idewire/devtools/simulation";
import { openFolderHost } from "idewire/folder-host";
import { expect, test } from "vitest";
import { removeFolder } from "../src/remove-folder.ts";
import { webSocketPair } from "../src/transport-pairs.ts";

const runner = { test, expect };
const text = "first line ✓\nsecond line\n";

/** What a test, a page or a script does in an editor in memory, and what agents see of it. */
function inMemory(
  editor: InMemoryEditor,
  file: PosixPath,
  host: EditorHost = editor,
): HostUnderTest {
  return {
    host,
    file: { path: file, text },
    edit: (path, unsaved) => editor.edit(path, unsaved),
    select: (path, range) => {
      const selected = { ...range, text: textOfRange(text, range) };
      editor.setSelection({ path, ranges: [selected], primary: 0 });
    },
    answer: (id, answer) => editor.answerDiff(id, answer),
  };
}

function makeFake(): HostUnderTest {
  const host = fakeEditorHost();
  const path = posixPath("/vault/notes.txt");
  host.writeFile(path, text);
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } };
  host.setDiagnostics([{ path, diagnostics: [{ range, severity: "error", message: "no" }] }]);
  return inMemory(host, path);
}

editorHostContract(runner, { name: "fakeEditorHost", makeHost: makeFake });

editorHostContract(runner, {
  name: "simulated editor",
  makeHost() {
    const simulation = new Simulation({ files: { "notes.txt": text } });
    return {
      ...inMemory(simulation.editor, simulation.pathOf("notes.txt"), simulation.host),
      dispose: () => simulation.close(),
    };
  },
});

editorHostContract(runner, {
  name: "scripted editor",
  makeHost() {
    const scenario = createScenario({ files: { "notes.txt": text } }, []);
    if (!scenario.ok) throw new Error(JSON.stringify(scenario.issues));
    const fixture = createMemoryContext(scenario.value);
    const { scripted, host } = fixture.ide;
    return {
      ...inMemory(scripted.editor, fixture.ide.pathOf("notes.txt"), host),
      dispose: () => fixture.close(),
    };
  },
});

/** The same editor as a remote host; acts of the person arrive after a moment. */
async function makeRemote({ left, right, dispose }: TransportPair): Promise<HostUnderTest> {
  const fake = makeFake();
  const [near, far] = [new Peer(left), new Peer(right)];
  const [host] = await Promise.all([connectHost(near), serveHost(far, fake.host)]);
  const received = (event: "documents" | "selection", act: () => unknown) =>
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
    edit: (path, unsaved) => received("documents", () => fake.edit(path, unsaved)),
    select: (path, range) => received("selection", () => fake.select(path, range)),
    async dispose() {
      near.close();
      await near.closed;
      await dispose?.();
    },
  };
}

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
      answer: (id, answer) => host.answerDiff(id, answer),
      dispose: async () => {
        await host.close();
        await removeFolder(folder);
      },
    };
  },
});

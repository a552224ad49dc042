import { setTimeout as delay } from "node:timers/promises";
import { createMemoryTransportPair, Peer } from "@idewire/core/rpc";
import { posixPath } from "@idewire/core/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { SyncedDocuments } from "./synced-documents.ts";

const A = posixPath("/vault/a.ts");
const B = posixPath("/vault/b.ts");
const CSS = posixPath("/vault/a.css");

/** Longer than the limit for answers of a warmed-up server. */
const LONG_MS = 2_000;

function openDocuments(wanted: readonly string[] = [A, B, CSS]) {
  const texts = new Map<string, string>();
  const documents = new SyncedDocuments(
    {
      folder: posixPath("/vault"),
      read: async (path) => ({ text: texts.get(path) ?? "", isSaved: true }),
      isWanted: (path) => wanted.includes(path),
      changed: () => undefined,
    },
    { isKept: () => true, onAged: () => undefined },
  );
  const [end] = createMemoryTransportPair();
  const server = { peer: new Peer(end), receives: { openClose: true, change: true, save: true } };
  onTestFinished(() => {
    documents.reset();
    server.peer.close();
  });
  const give = async (path: typeof A, text = `${Math.random()}`) => {
    texts.set(path, text);
    const document = await documents.sync(path, server);
    if (document === undefined) throw new Error("The text is the same");
    return document;
  };
  /** A function that is called when the documents have settled. */
  const watch = () => {
    const settled = vi.fn();
    void documents.settled().then(settled);
    return settled;
  };
  return { documents, give, watch };
}

const answer = { isClean: false, mayGoOn: false };

test.concurrent("the first answer of a server has a longer time-out than later ones", async () => {
  const { documents, give, watch } = openDocuments();
  const document = await give(A);
  const settled = watch();
  await delay(LONG_MS);
  expect(settled).not.toHaveBeenCalled();
  documents.answered(document, answer);
  await vi.waitFor(() => expect(settled).toHaveBeenCalled(), 60_000);
  await give(A);
  const later = watch();
  await vi.waitFor(() => expect(later).toHaveBeenCalled(), 60_000);
});

test.concurrent("after a server has answered for a language, its other files have no longer time-out", async () => {
  const { documents, give, watch } = openDocuments([B]);
  const sample = await give(A);
  await give(B);
  documents.answered(sample, answer);
  const settled = watch();
  await vi.waitFor(() => expect(settled).toHaveBeenCalled(), 60_000);
});

test.concurrent("a server that answers for one language may be cold for another", async () => {
  const { documents, give, watch } = openDocuments();
  documents.answered(await give(A), answer);
  await give(CSS);
  const settled = watch();
  await delay(LONG_MS);
  expect(settled).not.toHaveBeenCalled();
});

test.concurrent("an empty first answer may concern the previous text", async () => {
  const { documents, give, watch } = openDocuments();
  await give(A);
  const document = await give(A);
  documents.answered(document, { isClean: true, mayGoOn: true });
  const settled = watch();
  await delay(700);
  expect(settled).not.toHaveBeenCalled();
  documents.answered(document, { isClean: false, mayGoOn: true });
  await vi.waitFor(() => expect(settled).toHaveBeenCalled(), 60_000);
});

test.concurrent("a file opened only to warm up a server delays no answer", async () => {
  const { give, watch } = openDocuments([]);
  await give(A);
  const settled = watch();
  await vi.waitFor(() => expect(settled).toHaveBeenCalled(), 60_000);
});

test.concurrent("a cold server that ignores three texts is no longer waited for", async () => {
  const { give, watch } = openDocuments();
  for (let text = 0; text < 4; text++) {
    await give(A);
    await delay(1_400);
  }
  const settled = watch();
  await vi.waitFor(() => expect(settled).toHaveBeenCalled(), 60_000);
});

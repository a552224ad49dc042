// Laws of types: a line under `@ts-expect-error` must not compile, all others must.
import { MessageChannel, type Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import {
  type DiffOutcome,
  type EditorHost,
  type PosixPath,
  parsePosixPath,
  toPosixPath,
} from "./index.ts";
import type { DiffAnswer } from "./internal.ts";
import { createMessagePortTransport, createWebSocketTransport } from "./rpc.ts";
import { editorHostContract, fakeEditorHost, transportContract } from "./testing/index.ts";

// Paths

// @ts-expect-error a string is not a path until it is parsed
export const unparsed: PosixPath = "/vault/a.txt";

const result = parsePosixPath("/vault/a.txt");

// @ts-expect-error whether it could be read has to be asked first
export const unchecked: PosixPath = result.value;

export const checked: PosixPath | string = result.ok ? result.value : result.issue;

// @ts-expect-error the platform is required
toPosixPath("/vault");

// Outcomes

export const accepted: DiffOutcome = { kind: "accepted", text: "", edited: false };

// @ts-expect-error an accepted outcome has a text
export const textless: DiffOutcome = { kind: "accepted", edited: false };

// @ts-expect-error no person cancels
export const cancelled: DiffAnswer = { kind: "cancelled" };

// Hosts

/** An editor with nothing optional is an editor. */
export const smallest: EditorHost = {
  name: "small",
  version: "1",
  workspace: () => ({ folders: [], trusted: false }),
  documents: () => [],
  selection: () => undefined,
  read: async () => "",
  on: () => () => {},
};

export const fake: Required<EditorHost> = fakeEditorHost();

fakeEditorHost({ openDiff: undefined, name: "other", version: "2" });

// @ts-expect-error a member that every host has cannot be of another kind
fakeEditorHost({ read: () => "text" });

// The types of the platforms fit without a cast

const { port1 } = new MessageChannel();
createMessagePortTransport(port1);

declare const worker: Worker;
// @ts-expect-error a Worker of Node is not an event target: its port has to be passed
createMessagePortTransport(worker);

createWebSocketTransport({
  readyState: 1,
  bufferedAmount: 0,
  send: (_data: string) => {},
  close: (_code?: number, _reason?: string) => {},
  addEventListener: (_type: string, _listener: (event: never) => void) => {},
});

// The contracts take this runner as it is

transportContract(
  { test, expect },
  {
    name: "any",
    loneSurrogates: "kept",
    canPause: false,
    makePair: () => ({
      left: createMessagePortTransport(port1),
      right: createMessagePortTransport(port1),
    }),
  },
);

editorHostContract(
  { test, expect },
  {
    name: "any",
    withoutDiffs: true,
    makeHost: () => ({
      host: smallest,
      file: { path: checked as PosixPath, text: "" },
      edit: () => {},
      select: () => {},
      answer: () => false,
    }),
  },
);

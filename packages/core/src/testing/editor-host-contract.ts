import { ToolFailure } from "../errors.ts";
import type { DiffAnswer } from "../ide/diffs/pending-diffs.ts";
import type { DiffId, DiffRequest, EditorHost } from "../ide/editor-host.ts";
import { isInside, type PosixPath, parsePosixPath } from "../paths/posix-path.ts";
import type { Range } from "../text/position.ts";
import {
  type Contract,
  type ContractRunner,
  createContract,
  pause,
  until,
} from "./contract-runner.ts";
import { sampleDiff } from "./sample-values.ts";

/** A host with a file, and the actions of the person. */
export interface HostUnderTest {
  readonly host: EditorHost;
  /** A saved text file of at least two lines in a workspace folder, which is not open. */
  readonly file: { readonly path: PosixPath; readonly text: string };
  /** Sets unsaved text of the file. */
  readonly edit: (path: PosixPath, text: string) => void | Promise<void>;
  /** Selects a range of the file. */
  readonly select: (path: PosixPath, range: Range) => void | Promise<void>;
  /** Answers a shown diff; false when it is not shown or no longer pending. */
  readonly answer: (id: DiffId, answer: DiffAnswer) => boolean | Promise<boolean>;
  readonly dispose?: () => void | Promise<void>;
}

/** A kind of host. */
export interface HostKind {
  readonly name: string;
  readonly makeHost: () => HostUnderTest | Promise<HostUnderTest>;
  /** Whether the host does not support diffs. */
  readonly withoutDiffs?: boolean;
}

/** The laws of {@link EditorHost} as tests, for any implementation. */
export function editorHostContract(runner: ContractRunner, kind: HostKind): void {
  const contract = createContract<HostUnderTest>(runner, {
    name: kind.name,
    make: kind.makeHost,
    dispose: (subject) => subject.dispose?.(),
  });
  stateLaws(contract);
  readLaws(contract);
  eventLaws(contract);
  diagnosticsLaws(contract);
  if (kind.withoutDiffs === true) return;
  answerLaws(contract);
  closeDiffLaws(contract);
}

const FIRST_LINE: Range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };

function stateLaws({ law, expect }: Contract<HostUnderTest>): void {
  law("the state members return synchronously", async ({ host }) => {
    const { folders, trusted } = host.workspace();
    expect(typeof trusted).toBe("boolean");
    expect(Array.isArray(folders)).toBe(true);
    expect(Array.isArray(host.documents())).toBe(true);
    expect([host.name === "", host.version === ""]).toEqual([false, false]);
    for (const which of ["current", "latest"] as const) {
      expect(typeof (host.selection(which) as { then?: unknown } | undefined)?.then).toBe(
        "undefined",
      );
    }
  });

  law("folders and documents have absolute paths in normal form", async ({ host, file }) => {
    const paths = [...host.workspace().folders, ...host.documents()].map(({ path }) => path);
    for (const path of paths) expect(parsePosixPath(path)).toEqual({ ok: true, value: path });
    const holding = host.workspace().folders.filter(({ path }) => isInside(path, file.path));
    expect(holding.length > 0, "the file is in a workspace folder").toBe(true);
  });

  law("a selection has ranges in order, with their text, and one of them is primary", async (s) => {
    await s.select(s.file.path, FIRST_LINE);
    const firstLine = `${s.file.text.split("\n")[0]}\n`;
    for (const which of ["current", "latest"] as const) {
      const selection = s.host.selection(which);
      expect(selection?.path).toBe(s.file.path);
      expect(selection?.ranges[selection.primary]).toEqual({ ...FIRST_LINE, text: firstLine });
    }
    expect(s.host.documents().filter(({ active }) => active).length <= 1).toBe(true);
  });

  law("a selection follows its text when lines are inserted above it", async (subject) => {
    const { host, file, select, edit } = subject;
    await select(file.path, FIRST_LINE);
    const [selected] = host.selection("latest")?.ranges ?? [];
    await edit(file.path, `inserted\n${file.text}`);
    await until(() => host.selection("latest")?.ranges[0]?.start.line === 1);
    const range = { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } };
    const [followed] = host.selection("latest")?.ranges ?? [];
    expect(followed).toEqual({ ...range, text: selected?.text });
  });
}

function readLaws({ law, expect }: Contract<HostUnderTest>): void {
  law("read returns the text of a file that is not open", async ({ host, file }) => {
    expect(await host.read(file.path)).toBe(file.text);
  });

  law("read returns unsaved text if there is any", async ({ host, file, edit }) => {
    await edit(file.path, "not saved ✓\n");
    expect(await host.read(file.path)).toBe("not saved ✓\n");
  });

  law(
    "reading an unreadable file rejects with a ToolFailure, and never throws",
    async (subject) => {
      const { host, file } = subject;
      const missing = [`${file.path}.missing`, "/nowhere/at-all.txt"] as PosixPath[];
      for (const path of missing) {
        const failure = await host.read(path).then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(failure instanceof ToolFailure, `${path}: ${String(failure)}`).toBe(true);
      }
    },
  );
}

function eventLaws({ law, expect }: Contract<HostUnderTest>): void {
  law("a new selection is emitted once it can be read", async ({ host, file, select }) => {
    const seen: (PosixPath | undefined)[] = [];
    host.on("selection", () => void seen.push(host.selection("latest")?.path));
    await select(file.path, FIRST_LINE);
    await until(() => seen.length > 0);
    expect(seen.at(-1)).toBe(file.path);
  });

  law(
    "an undone subscription is not called any more; undoing it again ends no other",
    async (subject) => {
      const { host, file, select } = subject;
      let received = 0;
      const listener = () => {
        received += 1;
      };
      const undo = host.on("selection", listener);
      undo();
      await select(file.path, FIRST_LINE);
      await pause();
      expect(received).toBe(0);
      host.on("selection", listener);
      undo();
      await select(file.path, { ...FIRST_LINE, end: FIRST_LINE.start });
      await until(() => received > 0);
    },
  );
}

let lastDiff = 0;

function propose(subject: HostUnderTest, proposed: string): DiffRequest {
  lastDiff += 1;
  return sampleDiff({
    id: `contract-${lastDiff}`,
    session: "contract",
    path: subject.file.path,
    proposed,
    title: `proposal ${lastDiff}`,
  });
}

function show(subject: HostUnderTest, proposed: string) {
  const request = propose(subject, proposed);
  const controller = new AbortController();
  const outcome = subject.host.openDiff?.(request, controller.signal);
  return { id: request.id, controller, outcome };
}

/** Answers a diff once it is shown, which may take a host some time. */
function answerOnceShown(subject: HostUnderTest, id: DiffId, answer: DiffAnswer): Promise<void> {
  return until(() => subject.answer(id, answer));
}

function accepted(text: string): DiffAnswer {
  return { kind: "accepted", text };
}

function answerLaws({ law, expect }: Contract<HostUnderTest>): void {
  law("a diff waits for the person, and leaves the file to the agent", async (subject) => {
    const { id, outcome } = show(subject, "new\n");
    let settled = false;
    void outcome?.then(() => {
      settled = true;
    });
    await pause(50);
    expect(settled).toBe(false);
    await answerOnceShown(subject, id, accepted("new, edited\n"));
    expect(await outcome).toEqual({ ...accepted("new, edited\n"), edited: true });
    expect(await subject.host.read(subject.file.path)).toBe(subject.file.text);
  });

  law("every kind of answer is returned as given", async (subject) => {
    for (const answer of [accepted(""), { kind: "rejected" }, { kind: "closed" }] as const) {
      const { id, outcome } = show(subject, "new\n");
      await answerOnceShown(subject, id, answer);
      const edited = answer.kind === "accepted" && { edited: true };
      expect(await outcome).toEqual({ ...answer, ...edited });
    }
  });

  law("the first answer wins", async (subject) => {
    const { id, outcome } = show(subject, "new\n");
    await answerOnceShown(subject, id, { kind: "rejected" });
    expect(await subject.answer(id, accepted("new\n"))).toBe(false);
    expect(await outcome).toEqual({ kind: "rejected" });
  });

  law("two diffs of one file are answered independently", async (subject) => {
    const first = show(subject, "one\n");
    const second = show(subject, "two\n");
    await answerOnceShown(subject, second.id, accepted("two\n"));
    expect(await second.outcome).toEqual({ ...accepted("two\n"), edited: false });
    await answerOnceShown(subject, first.id, { kind: "rejected" });
    expect(await first.outcome).toEqual({ kind: "rejected" });
  });
}

function closeDiffLaws({ law, expect }: Contract<HostUnderTest>): void {
  law("a closed diff is cancelled; closing it again has no effect", async (s) => {
    const { id, outcome } = show(s, "new\n");
    const other = show(s, "other\n");
    expect((await s.host.closeDiff?.(id, "answered-elsewhere"))?.alreadyClosed).toBe(false);
    expect(await outcome).toEqual({ kind: "cancelled" });
    expect((await s.host.closeDiff?.(id, "answered-elsewhere"))?.alreadyClosed).toBe(true);
    expect(await s.answer(id, accepted("new\n"))).toBe(false);
    await answerOnceShown(s, other.id, { kind: "rejected" });
  });

  law("closing an unknown or answered diff has no effect", async (subject) => {
    const { host } = subject;
    expect((await host.closeDiff?.("no-such-diff", "asked"))?.alreadyClosed).toBe(true);
    const { id, outcome } = show(subject, "new\n");
    await answerOnceShown(subject, id, accepted("new\n"));
    await outcome;
    expect((await host.closeDiff?.(id, "asked"))?.alreadyClosed).toBe(true);
  });

  law("an aborted diff is cancelled and cannot be answered", async (subject) => {
    const { id, controller, outcome } = show(subject, "new\n");
    controller.abort();
    expect(await outcome).toEqual({ kind: "cancelled" });
    expect(await subject.answer(id, accepted("new\n"))).toBe(false);
    expect(await subject.host.read(subject.file.path)).toBe(subject.file.text);
  });

  law("a diff that is aborted before it opens is never shown", async (subject) => {
    const { host, answer } = subject;
    const request = propose(subject, "new\n");
    const controller = new AbortController();
    controller.abort();
    expect(await host.openDiff?.(request, controller.signal)).toEqual({ kind: "cancelled" });
    expect(await answer(request.id, { kind: "rejected" })).toBe(false);
  });
}

function diagnosticsLaws({ law, expect }: Contract<HostUnderTest>): void {
  law("every diagnostic has a range, a severity and a message", async ({ host }) => {
    const files = (await host.diagnostics?.()) ?? [];
    expect(files.filter(({ path }) => !parsePosixPath(path).ok)).toEqual([]);
    const malformed = files
      .flatMap(({ diagnostics }) => diagnostics)
      .filter(({ range, severity, message }) => {
        const types = [typeof message, typeof range.start.line, typeof range.end.character];
        const isKnown = ["error", "warning", "information", "hint"].includes(severity);
        return !isKnown || types.join() !== "string,number,number";
      });
    expect(malformed).toEqual([]);
  });

  law("the diagnostics of one file are of that file only", async ({ host, file }) => {
    const files = (await host.diagnostics?.(file.path)) ?? [];
    expect(files.filter(({ path }) => path !== file.path)).toEqual([]);
  });
}

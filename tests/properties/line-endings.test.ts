import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { history, redo, undo } from "@codemirror/commands";
import { EditorState, type Transaction } from "@codemirror/state";
import { draftOf, draftOfText, editDraft, textOfDraft } from "@idewire/codemirror";
import {
  createDraft,
  decide,
  hunksOf,
  pendingHunks,
  trackHunks,
} from "@idewire/codemirror/internal";
import { connectHost, type EditorHost, type PosixPath, serveHost } from "@idewire/core";
import { findHiddenChanges } from "@idewire/core/internal/hunks";
import { createMemoryTransportPair, Peer } from "@idewire/core/rpc";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type FolderHost,
  openFolderHost,
  type PendingDiff,
} from "../../packages/cli/src/folder-host/index.ts";
import { HunkReview } from "../../packages/cli/src/serve/terminal/review/hunk-review.ts";
import { announceSeed, anyText, seed } from "../src/fuzz.ts";
import {
  anyFile,
  anyProposal,
  editLine,
  linesOf,
  sample,
  strangeLines,
} from "../src/kept-bytes.ts";
import { removeFolder } from "../src/remove-folder.ts";

announceSeed();

const verdicts = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 });

function holds<T>(values: fc.Arbitrary<T>, law: (value: T) => void, numRuns = 1_000): void {
  fc.assert(fc.property(values, law), { seed, numRuns });
}

describe("the text that a person approves in the editors of the page and the plugin is accepted to the byte", () => {
  function review(before: string, after: string): EditorState {
    const draft = createDraft(before, after);
    return EditorState.create({
      doc: draft.result.doc,
      extensions: [history(), editDraft(draft), trackHunks(hunksOf(draft))],
    });
  }
  const accepted = (state: EditorState) => textOfDraft(draftOf(state));

  test("an untouched proposal equals the text that the agent sent", () => {
    holds(fc.tuple(fc.oneof(anyFile, anyText), fc.oneof(anyFile, anyText)), ([before, after]) => {
      expect(accepted(review(before, after))).toBe(after);
    });
  });

  test("of changes decided one by one, every line has the end that it has on one side", () => {
    holds(fc.tuple(anyProposal, verdicts), ([{ before, after }, yes]) => {
      let state = review(before, after);
      for (let step = 0; pendingHunks(state).length > 0 && step < 30; step += 1) {
        const [hunk] = pendingHunks(state);
        if (hunk === undefined) break;
        const decision = yes[step % yes.length] === true ? "accept" : "reject";
        state = state.update(decide(state, hunk, decision)).state;
      }
      expect(strangeLines(accepted(state), before, after)).toEqual([]);
    });
  });

  test("an edited line changes no other byte, and undo and redo bring back each", () => {
    holds(fc.tuple(anyFile, fc.nat(), fc.boolean()), ([text, place, enters]) => {
      const draft = draftOfText(text);
      const { doc } = draft.result;
      const state = EditorState.create({ doc, extensions: [history(), editDraft(draft)] });
      const index = place % doc.lines;
      const { to } = doc.line(index + 1);
      const insert = enters ? state.toText("!\nnew") : "!";
      const edited = state.update({ changes: { from: to, insert }, userEvent: "input" }).state;
      const end = endNear(text, index);
      const expected = editLine(text, index, enters ? `!${end}new` : "!");
      expect(accepted(edited)).toBe(expected);
      const undone = run(undo, edited);
      expect(accepted(undone)).toBe(text);
      expect(accepted(run(redo, undone))).toBe(expected);
    });
  });

  function run(command: typeof undo, state: EditorState): EditorState {
    let next = state;
    const dispatch = (transaction: Transaction) => {
      next = transaction.state;
    };
    command({ state, dispatch });
    return next;
  }

  /** The ending of a line inserted after another: that line's, else the previous one's, else LF. */
  function endNear(text: string, index: number): string {
    const endOf = (line = "") => /[\r\n]*$/.exec(line)?.[0] ?? "";
    const lines = linesOf(text);
    return endOf(lines[index]) || endOf(lines[index - 1]) || "\n";
  }

  test("changed line ends are reported by lines, even where nothing else changes", () => {
    holds(anyFile, (text) => {
      const other = text.replace(/\r\n?|\n/g, (end) => (end === "\n" ? "\r\n" : "\n"));
      const { endings } = findHiddenChanges(text, other);
      expect(endings?.lines ?? 0).toBe(text.match(/\r\n?|\n/g)?.length ?? 0);
      expect(findHiddenChanges(text, text)).toEqual({});
    });
  });
});

describe("in the terminal", () => {
  test("accepting yields the proposal, rejecting the old text, and otherwise every line is from one of them", () => {
    holds(fc.tuple(anyProposal, verdicts), ([{ before, after }, yes]) => {
      const review = new HunkReview(before, after);
      expect(review.text).toBe(after);
      for (const index of review.hunks.keys()) review.decide(index, "rejected");
      expect(review.text).toBe(review.hunks.length > 0 ? before : after);
      for (const index of review.hunks.keys()) {
        review.decide(index, yes[index % yes.length] === true ? "accepted" : "rejected");
      }
      expect(strangeLines(review.text, before, after)).toEqual([]);
    });
  });
});

describe("a local and a remote folder host", () => {
  let folder: string;
  let host: FolderHost;
  let far: EditorHost;
  let peer: Peer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "idewire-endings-"));
    host = await openFolderHost(folder);
    const [left, right] = createMemoryTransportPair();
    peer = new Peer(left);
    [far] = await Promise.all([connectHost(peer), serveHost(new Peer(right), host, {})]);
  });
  afterAll(async () => {
    peer.close();
    await host.close();
    await removeFolder(folder);
  });
  const file = (name: string, text: string): PosixPath => {
    writeFileSync(join(folder, name), text);
    return join(host.folder, name) as PosixPath;
  };

  test("save an edited text with the ends, the byte order mark and the final line end of its file", async () => {
    for (const [index, text] of sample(anyFile, 60).entries()) {
      const path = file(`saved-${index}.txt`, text);
      const edited = editLine(text, linesOf(text).length - 1, "!");
      await host.edit(path, edited.replace(/^\uFEFF/, ""));
      expect(await far.read(path)).toBe(edited.replace(/^\uFEFF/, ""));
      expect(await far.save?.(path)).toEqual({ saved: true });
      expect(readFileSync(path, "utf8")).toBe(edited);
    }
  });

  test("compare a proposal with the file, byte order mark included, and return the text as sent or decided", async () => {
    const proposals = fc.tuple(anyProposal, fc.oneof(anyFile, anyText), fc.boolean());
    for (const [index, [{ before, after }, other, edits]] of sample(proposals, 100).entries()) {
      const path = file(`proposed-${index}.txt`, before);
      const opened = new Promise<PendingDiff>((resolve) => {
        const off = host.onDiff("diffOpened", (diff) => {
          off();
          resolve(diff);
        });
      });
      const about = { id: `d${index}`, session: "s", title: "t", outsideWorkspace: false };
      const proposed = edits ? after : other;
      const answer = far.openDiff?.(
        { ...about, path, oldPath: path, proposed },
        new AbortController().signal,
      );
      const { request, current } = await opened;
      expect([current, request.proposed]).toEqual([before, proposed]);
      const text = edits ? other : proposed;
      host.answerDiff(request.id, { kind: "accepted", text });
      expect(await answer).toEqual({ kind: "accepted", text, edited: text !== proposed });
    }
  });
});

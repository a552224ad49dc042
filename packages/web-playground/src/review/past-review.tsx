import { type Change, type ChangeState, describeChangeState } from "@idewire/core/internal";
import { countOf } from "@idewire/core/internal/base";
import type { PageChangeTexts } from "@idewire/devtools/internal";
import { useEffect, useRef, useState } from "preact/hooks";
import { CommandScope } from "../commands/use-command.ts";
import type { ChangeSource, ReadableChanges } from "../state/changes.ts";
import { usePage } from "../state/page-context.ts";
import { Button, set } from "../ui/controls.tsx";
import { describeClock } from "../ui/figures.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { ShadowHost } from "../ui/shadow-host.tsx";
import { LineComments } from "./line-comments.tsx";
import { loggedChangesOf } from "./logged-changes.ts";
import { createReviewEditor, type ReviewEditor } from "./review-editor.ts";
import { ReviewNotes } from "./review-pane.tsx";
import type { ReviewState } from "./review-state.ts";
import { Counts, NOTHING_LEFT, ReviewTools, savedLayout } from "./review-tools.tsx";

/** A change that is answered, to be read, or one that came without a review, to be decided afterwards. */
export function PastReview({ id }: { readonly id: string }) {
  const { model, view } = usePage();
  const deciding = model.live?.changes;
  const changes: ReadableChanges = deciding ?? loggedChangesOf(model);
  const change = changes.all.value.find((one) => one.id === id);
  if (change === undefined) {
    return (
      <p class="empty">
        This change is no longer listed. <Button title="Back" run={set(view.change, undefined)} />
      </p>
    );
  }
  return <Loaded change={change} changes={changes} deciding={deciding} />;
}

interface LoadedProps {
  readonly change: Change;
  readonly changes: ReadableChanges;
  /** Undefined where nothing can be decided afterwards. */
  readonly deciding: ChangeSource | undefined;
}

function Loaded({ change, changes, deciding }: LoadedProps) {
  const { texts, words, decide, undoTurn } = useDecisions({ change, changes, deciding });
  return (
    <CommandScope.Provider value="Change">
      <div class="review past-review" data-testid="past-review" data-state={change.state}>
        <Head {...{ change, decide }} />
        {change.state === "unreviewed" && <UndoTurn {...{ change, changes, undoTurn }} />}
        <p class="review-note" role="status" hidden={words === ""} data-testid="change-words">
          {words}
        </p>
        {texts !== undefined && (
          <Texts key={`${change.id} ${texts.version}`} {...{ change, texts, decide }} />
        )}
      </div>
    </CommandScope.Provider>
  );
}

/** Resolves to whether the decision was carried out. */
type Decide = (decision: "keep" | "undo", hunk?: number) => Promise<boolean>;

interface Decisions {
  /** Undefined until they are read. */
  readonly texts: PageChangeTexts | undefined;
  /** A message to the person about the last decision; empty if there is none. */
  readonly words: string;
  readonly decide: Decide;
  readonly undoTurn: () => Promise<boolean>;
}

/** The texts of a change, which are read again when they change, and the decisions about it. */
function useDecisions({ change, changes, deciding }: LoadedProps): Decisions {
  const [texts, setTexts] = useState<PageChangeTexts | undefined>();
  const [words, setWords] = useState("");
  /** The version that the editor shows, after the person's decisions in it. */
  const shown = useRef(0);
  const isDeciding = useRef(false);
  const load = (): void => {
    changes.read(change.id).then(
      (read) => {
        shown.current = read.version;
        setTexts(read);
      },
      (error: Error) => setWords(`${error.message}.`),
    );
  };
  useEffect(() => {
    if (!isDeciding.current && change.version !== shown.current) load();
  }, [change.version]);
  const attempt = async (act: (source: ChangeSource) => Promise<string>): Promise<boolean> => {
    if (deciding === undefined) return false;
    isDeciding.current = true;
    setWords("");
    try {
      setWords(await act(deciding));
      return true;
    } catch (error) {
      setWords(`${(error as Error).message}.`);
      return false;
    } finally {
      isDeciding.current = false;
    }
  };
  const decide: Decide = (decision, hunk) =>
    attempt(async (source) => {
      const { version, refused, unsaved } = await source.decide(change, {
        ...{ version: shown.current, decision },
        ...(hunk !== undefined && { hunk }),
      });
      shown.current = version;
      if (hunk === undefined) load();
      return [refusal(refused), unsaved ? UNSAVED : ""].filter(Boolean).join(" ");
    });
  const undoTurn = () =>
    attempt(async (source) => {
      const { undone, problems } = await source.undoTurn(change);
      load();
      return [`Undone in ${countOf(undone.length, "file")}.`, ...problems].join(" ");
    });
  return { texts, words, decide, undoTurn };
}

const UNSAVED = "The file has unsaved text: save it to write this, too.";

function refusal(refused: number): string {
  if (refused === 0) return "";
  return `${countOf(refused, "hunk")} not undone: the lines have changed since they were written.`;
}

/** States of a proposal of which no write is known. */
const proposed: ReadonlySet<ChangeState> = new Set<ChangeState>([
  ...(["waiting", "rejected", "closed", "answered-elsewhere", "withdrawn", "gone"] as const),
]);

function verbOf(state: ChangeState): string {
  if (proposed.has(state)) return "wanted to change";
  return state === "unreviewed" ? "has changed" : "changed";
}

interface HeadProps {
  readonly change: Change;
  readonly decide: Decide;
}

function Head({ change, decide }: HeadProps) {
  const { view } = usePage();
  const { path, agent, state, isCertain, openedMs, added, removed } = change;
  const writer = isCertain === false ? `${agent} or another program` : agent;
  return (
    <div class="bar actions">
      <span class="path">
        <b>
          <ForeignText text={writer} />
        </b>{" "}
        {verbOf(state)} <ForeignText text={path} />
        <small>
          {describeChangeState(state)}, {describeClock(openedMs)},{" "}
          <Counts added={added} removed={removed} />
        </small>
      </span>
      {state === "unreviewed" && (
        <>
          <Button title="Keep all" class="yes" needsConnection run={() => void decide("keep")} />
          <Button title="Undo all" class="no" needsConnection run={() => void decide("undo")} />
        </>
      )}
      <Button title="Back" run={set(view.change, undefined)} />
    </div>
  );
}

interface UndoTurnProps {
  readonly change: Change;
  readonly changes: ReadableChanges;
  readonly undoTurn: () => Promise<boolean>;
}

/** Undoes all edits of the turn of a change, once the person has seen which files they are in. */
function UndoTurn({ change: { turn }, changes, undoTurn }: UndoTurnProps) {
  const [isConfirming, setConfirming] = useState(false);
  if (!isConfirming) {
    return (
      <div class="bar turn">
        <Button
          title="Undo everything of this turn"
          tooltip="All files that this agent has written since your last prompt"
          needsConnection
          run={() => setConfirming(true)}
        />
      </div>
    );
  }
  const together = changes.all.value.filter(
    (each) => each.turn === turn && each.state === "unreviewed",
  );
  const undo = (): void => {
    setConfirming(false);
    void undoTurn();
  };
  return (
    <div class="review-note warning turn" role="alert" data-testid="turn">
      Undo the changes of {countOf(together.length, "file")}:{" "}
      <ForeignText text={together.map(({ path }) => path).join(", ")} />?
      <p class="bar actions">
        <Button title="Undo them" class="no" needsConnection run={undo} />
        <Button title="Cancel" run={() => setConfirming(false)} />
      </p>
    </div>
  );
}

interface TextsProps {
  readonly change: Change;
  readonly texts: PageChangeTexts;
  readonly decide: Decide;
}

function Texts({ change, texts, decide }: TextsProps) {
  const { model } = usePage();
  const editor = useRef<ReviewEditor | undefined>(undefined);
  const [left, setLeft] = useState<ReviewState>(NOTHING_LEFT);
  const { isReachable } = model;
  useEffect(() => editor.current?.updateButtons(), [isReachable]);
  const { undecided } = texts;
  const isOpen = change.state === "unreviewed" && undecided !== undefined;
  const original = isOpen ? undecided.before : (texts.before ?? "");
  const proposed = isOpen ? undecided.written : (texts.after ?? "");
  return (
    <>
      <ReviewTools editor={editor} left={left} choice={isOpen ? "afterwards" : "none"}>
        <LineComments id={change.id} editor={editor} isWaiting={false} />
      </ReviewTools>
      {texts.after === undefined && <p class="review-note">The file was deleted.</p>}
      <ReviewNotes original={original} proposed={proposed} />
      <ShadowHost<ReviewEditor>
        text={proposed}
        onopen={(opened) => {
          editor.current = opened;
        }}
        open={async (root) =>
          createReviewEditor(root, {
            ...{ path: change.path, original, proposed, readOnly: true },
            ...{ layout: savedLayout(), onstate: setLeft },
            ...(isOpen && {
              ondecide: (decision, hunk) => decide(decision === "accept" ? "keep" : "undo", hunk),
              canDecide: () => model.isReachable,
            }),
          })
        }
      />
    </>
  );
}

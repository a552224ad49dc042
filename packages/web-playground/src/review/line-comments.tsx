import { type ChangeComment, describeCommentedLines, describeSent } from "@idewire/core/internal";
import { countOf } from "@idewire/core/internal/base";
import { useEffect, useRef } from "preact/hooks";
import type { ChangeSource } from "../state/changes.ts";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import type { ReviewEditor } from "./review-editor.ts";
import { useUnsentComments } from "./unsent-comments.ts";

interface LineCommentsProps {
  /** The id of the change. */
  readonly id: string;
  readonly editor: { readonly current: ReviewEditor | undefined };
  /** Whether sending rejects a waiting diff. */
  readonly isWaiting: boolean;
}

/** Collects comments on lines of a change, and sends them to the agents together. */
export function LineComments({ id, editor, isWaiting }: LineCommentsProps) {
  const { model } = usePage();
  const changes = model.live?.changes;
  // Ids restart with each start of idewire.
  const openedMs = changes?.all.value.find((change) => change.id === id)?.openedMs;
  const [{ comments, written }, update] = useUnsentComments(`${id} ${openedMs}`);
  const isStarted = useRef(false);
  if (changes === undefined) return null;
  const start = (): void => {
    const lines = editor.current?.selectedLines();
    if (lines === undefined) return;
    isStarted.current = true;
    update((now) => ({ ...now, written: { text: "", ...now.written, ...lines } }));
  };
  const add = (): void => {
    const text = written?.text.trim() ?? "";
    if (written === undefined || text === "") return;
    update(({ comments }) => ({ comments: [...comments, { ...written, text }] }));
  };
  const remove = (gone: readonly ChangeComment[]): void =>
    update((now) => ({ ...now, comments: now.comments.filter((one) => !gone.includes(one)) }));
  const send = async (): Promise<void> => {
    const { isStored, message } = await sendComments(changes, id, comments);
    // The person may try again with those that were not stored.
    if (isStored) remove(comments);
    changes.notify(message);
  };
  return (
    <div class="line-comments" data-testid="line-comments">
      <Button title="Comment on the selected lines" run={start} />
      {comments.length > 0 && (
        <Button
          title={`Send ${countOf(comments.length, "comment")}${isWaiting ? ", reject" : ""}`}
          class="yes"
          needsConnection
          run={() => void send()}
        />
      )}
      {written !== undefined && (
        <LineCommentForm
          {...{ written, isStarted, add }}
          oninput={(text) => update((now) => ({ ...now, written: { ...written, text } }))}
          cancel={() => update(({ comments }) => ({ comments }))}
        />
      )}
      <CollectedComments comments={comments} remove={(comment) => remove([comment])} />
    </div>
  );
}

interface LineCommentFormProps {
  readonly written: ChangeComment;
  /** Whether the person has just asked for the form, or for other lines, so that it takes the focus. */
  readonly isStarted: { current: boolean };
  readonly oninput: (text: string) => void;
  readonly add: () => void;
  readonly cancel: () => void;
}

function LineCommentForm({ written, isStarted, oninput, add, cancel }: LineCommentFormProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isStarted.current) area.current?.focus();
    isStarted.current = false;
  });
  return (
    <form
      class="bar"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <label>
        {describeCommentedLines(written)}{" "}
        <textarea
          rows={2}
          value={written.text}
          ref={area}
          onInput={({ currentTarget: { value } }) => oninput(value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) add();
            else if (event.key === "Escape") cancel();
            else return;
            event.preventDefault();
          }}
        />
      </label>
      <Button title="Add the comment" run={add} />
      <Button title="Cancel" run={cancel} />
    </form>
  );
}

interface CollectedCommentsProps {
  readonly comments: readonly ChangeComment[];
  readonly remove: (comment: ChangeComment) => void;
}

function CollectedComments({ comments, remove }: CollectedCommentsProps) {
  if (comments.length === 0) return null;
  return (
    <ul>
      {comments.map((comment) => (
        <li key={`${comment.line} ${comment.text}`}>
          {describeCommentedLines(comment)}: {comment.text}{" "}
          <Button title="Remove" run={() => remove(comment)} />
        </li>
      ))}
    </ul>
  );
}

/** Sends comments, and copies their message. */
async function sendComments(
  changes: ChangeSource,
  id: string,
  comments: readonly ChangeComment[],
): Promise<{ readonly isStored: boolean; readonly message: string }> {
  try {
    const sent = await changes.comment(id, comments);
    const copied = (await copy(sent.message)) ? "Copied to the clipboard." : "";
    const message = [describeSent(sent), copied].filter(Boolean).join(" ");
    return { isStored: sent.file !== undefined, message };
  } catch (error) {
    return { isStored: false, message: `Not sent: ${(error as Error).message}.` };
  }
}

/** False where the browser does not allow it. */
async function copy(message: string): Promise<boolean> {
  return navigator.clipboard.writeText(message).then(
    () => true,
    () => false,
  );
}

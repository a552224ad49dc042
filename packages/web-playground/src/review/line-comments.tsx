import { type ChangeComment, describeCommentedLines, describeSent } from "@idewire/core/internal";
import { countOf } from "@idewire/core/internal/base";
import { useEffect, useRef } from "preact/hooks";
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
  const area = useRef<HTMLTextAreaElement>(null);
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current) area.current?.focus();
    isStarted.current = false;
  });
  if (changes === undefined) return null;
  const start = (): void => {
    const lines = editor.current?.selectedLines();
    if (lines === undefined) return;
    isStarted.current = true;
    update((now) => ({ ...now, written: { text: "", ...now.written, ...lines } }));
  };
  const cancel = (): void => update(({ comments }) => ({ comments }));
  const add = (): void => {
    const text = written?.text.trim() ?? "";
    if (written === undefined || text === "") return;
    update(({ comments }) => ({ comments: [...comments, { ...written, text }] }));
  };
  const remove = (gone: readonly ChangeComment[]): void =>
    update((now) => ({ ...now, comments: now.comments.filter((one) => !gone.includes(one)) }));
  const send = async (): Promise<void> => {
    try {
      const sent = await changes.comment(id, comments);
      const isCopied = await copy(sent.message);
      // Not stored: the person may try again.
      if (sent.file !== undefined) remove(comments);
      const copied = isCopied ? "Copied to the clipboard." : "";
      changes.notify([describeSent(sent), copied].filter(Boolean).join(" "));
    } catch (error) {
      changes.notify(`Not sent: ${(error as Error).message}.`);
    }
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
              onInput={({ currentTarget: { value } }) =>
                update((now) => ({ ...now, written: { ...written, text: value } }))
              }
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
      )}
      {comments.length > 0 && (
        <ul>
          {comments.map((comment) => (
            <li key={`${comment.line} ${comment.text}`}>
              {describeCommentedLines(comment)}: {comment.text}{" "}
              <Button title="Remove" run={() => remove([comment])} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** False where the browser does not allow it. */
async function copy(message: string): Promise<boolean> {
  return navigator.clipboard.writeText(message).then(
    () => true,
    () => false,
  );
}

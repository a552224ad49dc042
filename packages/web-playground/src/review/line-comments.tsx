import { type ChangeComment, describeCommentedLines, describeSent } from "@idewire/core/internal";
import { countOf } from "@idewire/core/internal/base";
import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import type { ReviewEditor } from "./review-editor.ts";

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
  const [comments, setComments] = useState<readonly ChangeComment[]>([]);
  const [written, setWritten] = useState<Omit<ChangeComment, "text"> | undefined>();
  const [text, setText] = useState("");
  if (changes === undefined) return null;
  const start = (): void => setWritten(editor.current?.selectedLines());
  const add = (): void => {
    if (written === undefined || text.trim() === "") return;
    setComments([...comments, { ...written, text: text.trim() }]);
    setWritten(undefined);
    setText("");
  };
  const send = async (): Promise<void> => {
    try {
      const sent = await changes.comment(id, comments);
      const isCopied = await copy(sent.message);
      // Not stored: the person may try again.
      if (sent.file !== undefined) setComments([]);
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
              value={text}
              ref={(area) => area?.focus()}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) add();
                else if (event.key === "Escape") setWritten(undefined);
                else return;
                event.preventDefault();
              }}
            />
          </label>
          <Button title="Add the comment" run={add} />
          <Button title="Cancel" run={() => setWritten(undefined)} />
        </form>
      )}
      {comments.length > 0 && (
        <ul>
          {comments.map((comment, at) => (
            <li key={`${comment.line} ${comment.text}`}>
              {describeCommentedLines(comment)}: {comment.text}{" "}
              <Button
                title="Remove"
                run={() => setComments(comments.filter((_, place) => place !== at))}
              />
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

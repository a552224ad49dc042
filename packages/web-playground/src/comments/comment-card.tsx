import type { CommentCandidate, PageComment } from "@idewire/devtools/internal";
import { useLayoutEffect, useState } from "preact/hooks";
import { CommandScope } from "../commands/use-command.ts";
import { Button, set } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { CommentForm } from "./comment-form.tsx";
import type { CommentsModel } from "./comments-model.ts";
import { headOf, keyOf, type Written } from "./form-draft.ts";
import {
  describeDay,
  describeLines,
  describePlace,
  letterOf,
  stateNames,
  tagNames,
} from "./texts.ts";

interface CardProps {
  readonly commentsModel: CommentsModel;
  readonly comment: PageComment;
  /** Whether the comment may belong to another file, which is then named. */
  readonly isElsewhere: boolean;
}

/** A comment with its replies; the selected one has buttons. */
export function CommentCard({ commentsModel, comment, isElsewhere }: CardProps) {
  const { id, tag, text, author, created, state, filePath, status } = comment;
  const isChosen = commentsModel.chosen.value === id;
  const place = describePlace(comment);
  return (
    <CommandScope.Provider value={`${tagNames[tag]} ${describeLines(comment)}`}>
      <article
        class={`comment-card${isChosen ? " chosen" : ""}${state === "open" ? "" : " done"}`}
        aria-label={`${tagNames[tag]} ${describeLines(comment)}`}
        data-comment={id}
        data-status={status}
      >
        <Button
          title={`${tagNames[tag]} ${describeLines(comment)}`}
          class="comment-head"
          aria-expanded={isChosen}
          run={set(commentsModel.chosen, isChosen ? undefined : id)}
        >
          <span class={`comment-sign ${tag.toLowerCase()}`} aria-hidden="true">
            {letterOf(tag)}
          </span>
          <b>{tagNames[tag]}</b>
          {isElsewhere && <ForeignText text={filePath} />}
          <span>{describeLines(comment)}</span>
          {state !== "open" && <span class="comment-state">{stateNames[state]}</span>}
          <span class="comment-by">
            <ForeignText text={author} />, {describeDay(created)}
          </span>
        </Button>
        <p class="comment-text">
          <ForeignText text={text} />
        </p>
        {place !== undefined && (
          <Place commentsModel={commentsModel} comment={comment} words={place} />
        )}
        <Replies comment={comment} />
        {(isChosen || commentsModel.written.has(keyOf(comment))) && (
          <Acts commentsModel={commentsModel} comment={comment} />
        )}
      </article>
    </CommandScope.Provider>
  );
}

/** The state of its place, and candidates for a new one. */
function Place({
  commentsModel,
  comment,
  words,
}: {
  readonly commentsModel: CommentsModel;
  readonly comment: PageComment;
  readonly words: string;
}) {
  const { filePath, id, quote, status, candidates } = comment;
  const isLost = status === "orphaned" || status === "ambiguous";
  const move = ({ filePath: to = filePath, line }: CommentCandidate): void => {
    const target = { filePath: to, line };
    void commentsModel.runInList({ do: "move", filePath, id, target }, `Moved to line ${line}`);
  };
  return (
    <div class={`comment-place${isLost ? " lost" : ""}`}>
      <p>{words}</p>
      {status === "orphaned" && quote !== undefined && (
        <p>
          It was on{" "}
          <code>
            <ForeignText text={quote} />
          </code>
        </p>
      )}
      {isLost && (
        <p>
          {candidates.length > 0
            ? "Choose where it belongs:"
            : "Delete the comment, or put the code back."}
        </p>
      )}
      {isLost && candidates.length > 0 && (
        <ul>
          {candidates.map((each) => (
            <li key={`${each.filePath} ${each.line}`}>
              <Button
                title={`${each.filePath === undefined ? "" : `${each.filePath}, `}Line ${each.line}: ${each.text}`}
                when={() => commentsModel.canChange}
                run={() => move(each)}
                data-testid="comment-candidate"
              >
                {each.filePath !== undefined && (
                  <>
                    <ForeignText text={each.filePath} />,{" "}
                  </>
                )}
                Line {each.line}:{" "}
                <code>
                  <ForeignText text={each.text} />
                </code>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Replies({ comment: { replies } }: { readonly comment: PageComment }) {
  if (replies.length === 0) return null;
  return (
    <ul class="comment-replies" aria-label="Replies">
      {replies.map(({ id, author, text }) => (
        <li key={id}>
          <b>
            <ForeignText text={author} />
          </b>{" "}
          <ForeignText text={text} />
        </li>
      ))}
    </ul>
  );
}

function Acts({
  commentsModel,
  comment,
}: {
  readonly commentsModel: CommentsModel;
  readonly comment: PageComment;
}) {
  const key = keyOf(comment);
  const [written, setWritten] = useState(commentsModel.written.get(key));
  useLayoutEffect(() => commentsModel.focus.drawn());
  const { filePath, id, state, status, tag, text } = comment;
  const at = { filePath, id };
  const begin = (next: Written) => {
    commentsModel.written.set(key, next);
    setWritten(next);
    commentsModel.focus.moveTo(`[data-comment="${CSS.escape(id)}"] textarea`);
  };
  const end = () => {
    commentsModel.written.delete(key);
    setWritten(undefined);
  };
  if (written !== undefined) {
    const isReply = written.what === "reply";
    return (
      <CommentForm
        label={isReply ? "Reply" : "Edit the comment"}
        submit={isReply ? "Reply" : "Save comment"}
        written={written}
        onclose={() => {
          end();
          commentsModel.chosen.value = id;
          commentsModel.focus.moveTo(headOf(id));
        }}
        onsubmit={async (words, chosen = tag) => {
          const act = isReply
            ? ({ do: "reply", ...at, text: words } as const)
            : ({ do: "edit", ...at, text: words, tag: chosen } as const);
          if (await commentsModel.runInList(act, isReply ? "Replied" : "Changed the comment"))
            end();
        }}
      />
    );
  }
  const isOpen = state === "open";
  const turn = () => {
    const next = isOpen ? "resolved" : "open";
    void commentsModel.runInList(
      { do: "setState", ...at, state: next },
      isOpen ? "Resolved" : "Reopened",
    );
  };
  const disabled = !commentsModel.canChange;
  return (
    <div class="comment-acts">
      {status !== "orphaned" && (
        <Button
          title="Go to line"
          run={() => commentsModel.goTo(comment)}
          data-testid="comment-go"
        />
      )}
      <Button
        title="Reply"
        when={() => !disabled}
        run={() => begin({ what: "reply", text: "" })}
        data-testid="comment-reply"
      />
      <Button
        title="Edit"
        when={() => !disabled}
        run={() => begin({ what: "edit", text, tag })}
        data-testid="comment-edit"
      />
      <Button
        title={isOpen ? "Resolve" : "Reopen"}
        when={() => !disabled}
        run={turn}
        data-testid="comment-resolve"
      />
      <Button
        title="Delete"
        when={() => !disabled}
        run={() => void commentsModel.runInList({ do: "delete", ...at }, "Deleted the comment")}
        data-testid="comment-delete"
      />
    </div>
  );
}

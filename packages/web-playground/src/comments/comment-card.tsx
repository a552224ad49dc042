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

interface CommentProps {
  readonly commentsModel: CommentsModel;
  readonly comment: PageComment;
}

interface CardProps extends CommentProps {
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
          <Actions commentsModel={commentsModel} comment={comment} />
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
}: CommentProps & {
  readonly words: string;
}) {
  const { quote, status, candidates } = comment;
  const isLost = status === "orphaned" || status === "ambiguous";
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
          {candidates.map((candidate) => (
            <li key={`${candidate.filePath} ${candidate.line}`}>
              <Candidate {...{ commentsModel, comment, candidate }} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Moves a comment to a candidate. */
function Candidate({
  commentsModel,
  comment: { filePath, id },
  candidate,
}: CommentProps & { readonly candidate: CommentCandidate }) {
  const { filePath: otherPath, line, text } = candidate;
  const move = (): void => {
    const target = { filePath: otherPath ?? filePath, line };
    void commentsModel.runInList({ do: "move", filePath, id, target }, `Moved to line ${line}`);
  };
  return (
    <Button
      title={`${otherPath === undefined ? "" : `${otherPath}, `}Line ${line}: ${text}`}
      when={() => commentsModel.canChange}
      run={move}
      data-testid="comment-candidate"
    >
      {otherPath !== undefined && (
        <>
          <ForeignText text={otherPath} />,{" "}
        </>
      )}
      Line {line}:{" "}
      <code>
        <ForeignText text={text} />
      </code>
    </Button>
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

/** The buttons of a comment, or the form that one of them has opened. */
function Actions({ commentsModel, comment }: CommentProps) {
  const key = keyOf(comment);
  const [written, setWritten] = useState(commentsModel.written.get(key));
  useLayoutEffect(() => commentsModel.focus.drawn());
  const begin = (next: Written): void => {
    commentsModel.written.set(key, next);
    setWritten(next);
    commentsModel.focus.moveTo(`[data-comment="${CSS.escape(comment.id)}"] textarea`);
  };
  const end = (): void => {
    commentsModel.written.delete(key);
    setWritten(undefined);
  };
  const parts = { commentsModel, comment };
  if (written === undefined) return <ActionButtons {...parts} begin={begin} />;
  return <ActionForm {...parts} written={written} end={end} />;
}

/** Writes a reply, or edits the comment. */
function ActionForm({
  commentsModel,
  comment: { filePath, id, tag },
  written,
  end,
}: CommentProps & { readonly written: Written; readonly end: () => void }) {
  const at = { filePath, id };
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
      onsubmit={async (text, chosen = tag) => {
        const act = isReply
          ? ({ do: "reply", ...at, text } as const)
          : ({ do: "edit", ...at, text, tag: chosen } as const);
        const isDone = await commentsModel.runInList(
          act,
          isReply ? "Replied" : "Changed the comment",
        );
        if (isDone) end();
      }}
    />
  );
}

function ActionButtons({
  commentsModel,
  comment,
  begin,
}: CommentProps & { readonly begin: (written: Written) => void }) {
  const { filePath, id, state, status, tag, text } = comment;
  const at = { filePath, id };
  const isOpen = state === "open";
  const setState = (): void => {
    const next = isOpen ? "resolved" : "open";
    const done = isOpen ? "Resolved" : "Reopened";
    void commentsModel.runInList({ do: "setState", ...at, state: next }, done);
  };
  const remove = (): void =>
    void commentsModel.runInList({ do: "delete", ...at }, "Deleted the comment");
  const changes = [
    ["reply", "Reply", () => begin({ what: "reply", text: "" })],
    ["edit", "Edit", () => begin({ what: "edit", text, tag })],
    ["resolve", isOpen ? "Resolve" : "Reopen", setState],
    ["delete", "Delete", remove],
  ] as const;
  return (
    <div class="comment-acts">
      {status !== "orphaned" && (
        <Button
          title="Go to line"
          run={() => commentsModel.goTo(comment)}
          data-testid="comment-go"
        />
      )}
      {changes.map(([name, title, run]) => (
        <Button
          key={name}
          title={title}
          when={() => commentsModel.canChange}
          run={run}
          data-testid={`comment-${name}`}
        />
      ))}
    </div>
  );
}

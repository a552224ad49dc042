import { countOf } from "@idewire/core/internal/base";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { CommandScope } from "../commands/use-command.ts";
import type { CommentedFile } from "../editor/file-comments.tsx";
import { usePage } from "../state/page-context.ts";
import type { PageModel } from "../state/page-model.ts";
import { Button } from "../ui/controls.tsx";
import { ForeignText, foreignText } from "../ui/foreign-text.tsx";
import { ArrowDown, ArrowUp, Plus } from "../ui/icons.ts";
import { ShellCommand } from "../ui/shell-command.tsx";
import { CommentCard } from "./comment-card.tsx";
import { CommentForm } from "./comment-form.tsx";
import type { CommentsModel } from "./comments-model.ts";
import { showDraft } from "./draft-lines.ts";
import { addGutter } from "./gutter.ts";
import { commentsModelOf } from "./open-comments.ts";
import { describeLines } from "./texts.ts";

/** The comments of the open file: in the gutter, and in the list if that is open. */
export function CommentsPane(file: CommentedFile) {
  const { model } = usePage();
  const commentsModel = commentsModelOf(model);
  useFollowing(model, commentsModel, file);
  useLayoutEffect(() => commentsModel.focus.drawn());
  if (!commentsModel.isOpen.value) return null;
  const { live } = model;
  if (live !== undefined && !live.hasComments.value)
    return <NotServed commentsModel={commentsModel} />;
  const typed = commentsModel.typed.value;
  return (
    <CommandScope.Provider value="Comments">
      <section class="comments-pane" aria-label="Comments">
        <Head commentsModel={commentsModel} />
        <p class="visually-hidden" role="status" data-testid="comments-announcement">
          {commentsModel.announcement.value}
        </p>
        {commentsModel.problem.value !== undefined && (
          <p class="banner bad" role="alert">
            <ForeignText text={`${commentsModel.problem.value}.`.replace(/\.\.$/, ".")} />
          </p>
        )}
        <Deleted commentsModel={commentsModel} />
        <div class="comments-body">
          {commentsModel.warnings.value.map((words) => (
            <p class="hint" key={words}>
              <ForeignText text={words} />
            </p>
          ))}
          {commentsModel.draft.value !== undefined && <Draft commentsModel={commentsModel} />}
          {typed.trim() !== "" && <Found commentsModel={commentsModel} />}
          <ol class="comment-list" data-testid="comment-list">
            {commentsModel.listed.value.map((comment) => (
              <li key={`${comment.filePath} ${comment.id}`}>
                <CommentCard
                  commentsModel={commentsModel}
                  comment={comment}
                  isElsewhere={typed.trim() !== ""}
                />
              </li>
            ))}
          </ol>
          {typed.trim() === "" && isEmpty(commentsModel) && (
            <p class="empty">
              No comments on this file. Click beside a line number, or press “Add”: the comment is
              kept in a file beside this one, and follows its code.
            </p>
          )}
        </div>
      </section>
    </CommandScope.Provider>
  );
}

function isEmpty({ isThere, shown, draft, problem }: CommentsModel): boolean {
  const hasNone = shown.value.length === 0 && draft.value === undefined;
  return isThere.value && hasNone && problem.value === undefined;
}

/** Updates the comments after each change of the comments, the moment or the saved text. */
function useFollowing(model: PageModel, commentsModel: CommentsModel, file: CommentedFile): void {
  const { path, view } = file;
  const { files, unsaved } = model.state.value;
  const version = commentsModel.source.version.value;
  const typed = commentsModel.typed.value;
  useEffect(() => {
    addGutter(view, {
      choose: (id) => commentsModel.choose(id),
      begin: (line) => commentsModel.begin(line),
      follow: (ids) => commentsModel.follow(ids),
      draftMoved: (lines) => commentsModel.moveDraft(lines),
      changed: (change) => commentsModel.moveShown(change),
    });
    return commentsModel.attach(file);
  }, [view]);
  const draft = commentsModel.draft.value;
  useEffect(() => showDraft(view, draft?.filePath === path ? draft : undefined), [view, draft]);
  // Until the text is saved, their lines move with the typed text.
  const text = unsaved.has(path) ? undefined : files.get(path);
  useEffect(
    () => commentsModel.refreshSoon(),
    [...[path, view, text, version, typed], ...[files.get(`${path}.comments`), model.cursor.value]],
  );
}

function Head({ commentsModel }: { readonly commentsModel: CommentsModel }) {
  const hasSome = commentsModel.shown.value.some(({ status }) => status !== "orphaned");
  return (
    <header class="bar">
      <h2>Comments</h2>
      {([-1, 1] as const).map((by) => (
        <Button
          title={by === 1 ? "Next comment" : "Previous comment"}
          icon={by === 1 ? ArrowDown : ArrowUp}
          kind="icon"
          tooltip={by === 1 ? "Next comment (Alt+F9)" : "Previous comment (Alt+Shift+F9)"}
          key={by}
          when={() => hasSome}
          run={() => commentsModel.step(by)}
        />
      ))}
      <Button
        title="Add"
        icon={Plus}
        when={() => commentsModel.canChange}
        run={() => commentsModel.begin()}
        tooltip="On the line of the cursor, or on the selected lines"
        data-testid="comment-add"
      />
      <input
        type="search"
        aria-label="Search comments of all files"
        placeholder="Search all files"
        title="Words, or tag: author: file: created: is: has:, as in tag:TODO author:ann is:orphaned"
        data-testid="comment-search"
        value={commentsModel.typed.value}
        onInput={({ currentTarget }) => {
          commentsModel.typed.value = currentTarget.value;
        }}
      />
    </header>
  );
}

function Draft({ commentsModel }: { readonly commentsModel: CommentsModel }) {
  const draft = commentsModel.draft.value;
  const written = commentsModel.written.get("");
  if (draft === undefined || written === undefined) return null;
  const { filePath } = draft;
  const where = filePath === commentsModel.path ? "" : ` of ${foreignText(filePath)}`;
  return (
    <CommentForm
      label={`Comment on ${describeLines(draft)}${where}`}
      submit="Add comment"
      written={written}
      onclose={() => commentsModel.endDraft()}
      onsubmit={(text, tag = "TODO") => commentsModel.addDraft(text, tag)}
    />
  );
}

/** The number of results. */
function Found({ commentsModel }: { readonly commentsModel: CommentsModel }) {
  const found = commentsModel.found.value;
  if (found === undefined) return null;
  const { comments, total, unreadable } = found;
  const cut = comments.length < total ? `; the first ${comments.length} are shown` : "";
  return (
    <>
      <p class="hint" role="status" data-testid="comments-found">
        Found {countOf(total, "comment")} in all files{cut}.
      </p>
      {unreadable.map((name) => (
        <p class="hint" key={name}>
          <ForeignText text={name} /> cannot be read.
        </p>
      ))}
    </>
  );
}

function Deleted({ commentsModel }: { readonly commentsModel: CommentsModel }) {
  const deleted = commentsModel.deleted.value;
  if (deleted === undefined) return null;
  return (
    <p class="banner">
      <span>The comment was deleted.</span>
      <Button
        title="Undo"
        data-testid="comment-undo"
        run={() =>
          void commentsModel.runInList({ do: "restore", ...deleted }, "The comment is back")
        }
      />
    </p>
  );
}

/** Comments of a folder are shown on request. */
function NotServed({ commentsModel }: { readonly commentsModel: CommentsModel }) {
  return (
    <CommandScope.Provider value="Comments">
      <section class="comments-pane" aria-label="Comments">
        <header class="bar">
          <h2>Comments</h2>
          <span class="spring" />
          <Button title="Close comments" run={() => commentsModel.toggle()} />
        </header>
        <p class="empty">
          To see the comments beside the code, and to add some, start idewire with{" "}
          <code>--comments</code>:
          <ShellCommand command="idewire serve --web --comments" />
        </p>
      </section>
    </CommandScope.Provider>
  );
}

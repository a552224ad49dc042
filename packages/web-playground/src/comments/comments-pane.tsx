import { useEffect, useLayoutEffect } from "preact/hooks";
import { CommandScope } from "../commands/use-command.ts";
import type { CommentedFile } from "../editor/file-comments.tsx";
import { usePage } from "../state/page-context.ts";
import type { PageModel } from "../state/page-model.ts";
import { Button } from "../ui/controls.tsx";
import { countOf } from "../ui/figures.ts";
import { ForeignText, foreignText } from "../ui/foreign-text.tsx";
import { ShellCommand } from "../ui/shell-command.tsx";
import { CommentCard } from "./comment-card.tsx";
import { CommentForm } from "./comment-form.tsx";
import type { CommentRoom } from "./comment-room.ts";
import { showDraft } from "./draft-lines.ts";
import { addGutter } from "./gutter.ts";
import { roomOf } from "./open-room.ts";
import { describeLines } from "./words.ts";

/** The comments of the open file: at the editor's edge, and as a list when that is open. */
export function CommentsPane(file: CommentedFile) {
  const { model } = usePage();
  const room = roomOf(model);
  useFollowing(model, room, file);
  useLayoutEffect(() => room.focus.drawn());
  if (!room.isOpen.value) return null;
  const { live } = model;
  if (live !== undefined && !live.hasComments.value) return <NotServed room={room} />;
  const typed = room.typed.value;
  return (
    <CommandScope.Provider value="Comments">
      <section class="comments-pane" aria-label="Comments">
        <Head room={room} />
        <p class="visually-hidden" role="status" data-testid="comments-told">
          {room.told.value}
        </p>
        {room.problem.value !== undefined && (
          <p class="banner bad" role="alert">
            <ForeignText text={`${room.problem.value}.`.replace(/\.\.$/, ".")} />
          </p>
        )}
        <Deleted room={room} />
        <div class="comments-body">
          {room.remarks.value.map((words) => (
            <p class="hint" key={words}>
              <ForeignText text={words} />
            </p>
          ))}
          {room.draft.value !== undefined && <Draft room={room} />}
          {typed.trim() !== "" && <Found room={room} />}
          <ol class="comment-list" data-testid="comment-list">
            {room.listed.value.map((comment) => (
              <li key={`${comment.filePath} ${comment.id}`}>
                <CommentCard room={room} comment={comment} isElsewhere={typed.trim() !== ""} />
              </li>
            ))}
          </ol>
          {typed.trim() === "" && isEmpty(room) && (
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

function isEmpty({ isThere, shown, draft, problem }: CommentRoom): boolean {
  const hasNone = shown.value.length === 0 && draft.value === undefined;
  return isThere.value && hasNone && problem.value === undefined;
}

/** Keeps the comments where they belong: after each change of the text, of the comments and of the moment. */
function useFollowing(model: PageModel, room: CommentRoom, file: CommentedFile): void {
  const { path, view } = file;
  const { files } = model.state.value;
  const version = room.source.version.value;
  const typed = room.typed.value;
  useEffect(() => {
    addGutter(view, {
      choose: (id) => room.choose(id),
      begin: (line) => room.begin(line),
      follow: (ids) => room.follow(ids),
      draftMoved: (lines) => room.moveDraft(lines),
    });
    return room.attach(file);
  }, [view]);
  const draft = room.draft.value;
  useEffect(() => showDraft(view, draft?.filePath === path ? draft : undefined), [view, draft]);
  const text = model.actions?.typed(path) ?? files.get(path);
  useEffect(
    () => room.refreshSoon(),
    [...[path, view, text, version, typed], ...[files.get(`${path}.comments`), model.cursor.value]],
  );
}

function Head({ room }: { readonly room: CommentRoom }) {
  const hasSome = room.shown.value.some(({ status }) => status !== "orphaned");
  return (
    <header class="bar">
      <h2>Comments</h2>
      <input
        type="search"
        aria-label="Search comments of all files"
        placeholder="Search all files"
        title="Words, or tag: author: file: created: is: has:, as in tag:TODO author:ann is:orphaned"
        data-testid="comment-search"
        value={room.typed.value}
        onInput={({ currentTarget }) => {
          room.typed.value = currentTarget.value;
        }}
      />
      {([-1, 1] as const).map((by) => (
        <Button
          title={by === 1 ? "Next comment" : "Previous comment"}
          aria-label={by === 1 ? "Next comment" : "Previous comment"}
          tooltip={by === 1 ? "Next comment (Alt+F9)" : "Previous comment (Alt+Shift+F9)"}
          key={by}
          when={() => hasSome}
          run={() => room.step(by)}
        >
          {by === 1 ? "▼" : "▲"}
        </Button>
      ))}
      <Button
        title="Add"
        when={() => room.canChange}
        run={() => room.begin()}
        tooltip="On the line of the cursor, or on the selected lines"
        data-testid="comment-add"
      />
    </header>
  );
}

function Draft({ room }: { readonly room: CommentRoom }) {
  const draft = room.draft.value;
  const written = room.written.get("");
  if (draft === undefined || written === undefined) return null;
  const { filePath } = draft;
  const where = filePath === room.path ? "" : ` of ${foreignText(filePath)}`;
  return (
    <CommentForm
      label={`Comment on ${describeLines(draft)}${where}`}
      submit="Add comment"
      written={written}
      onclose={() => room.endDraft()}
      onsubmit={(text, tag = "TODO") => room.addDraft(text, tag)}
    />
  );
}

/** What a search has found, in words. */
function Found({ room }: { readonly room: CommentRoom }) {
  const found = room.found.value;
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

function Deleted({ room }: { readonly room: CommentRoom }) {
  const deleted = room.deleted.value;
  if (deleted === undefined) return null;
  return (
    <p class="banner">
      <span>The comment was deleted.</span>
      <Button
        title="Undo"
        data-testid="comment-undo"
        run={() => void room.runInList({ do: "restore", ...deleted }, "The comment is back")}
      />
    </p>
  );
}

/** Comments of a folder are shown on request. */
function NotServed({ room }: { readonly room: CommentRoom }) {
  return (
    <CommandScope.Provider value="Comments">
      <section class="comments-pane" aria-label="Comments">
        <header class="bar">
          <h2>Comments</h2>
          <span class="spring" />
          <Button title="Close comments" run={() => room.toggle()} />
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

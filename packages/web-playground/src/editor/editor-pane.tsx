import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { CommandScope } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { Lazy } from "../ui/lazy.tsx";
import { ShadowHost } from "../ui/shadow-host.tsx";
import type { CodeEditor } from "./code-editor.ts";

const fileActions = () => import("./file-actions.tsx").then(({ FileActions }) => FileActions);
const reviewsWait = () => import("../page/when-idle.ts").then(({ ReviewsWait }) => ReviewsWait);
const pastReview = () => import("../review/past-review.tsx").then(({ PastReview }) => PastReview);
const review = () => import("../review/review-pane.tsx").then(({ Review }) => Review);

interface EditorPaneProps {
  /** Shown above the text: the files. */
  readonly head: ComponentChildren;
  /** In place of a file when none is open. */
  readonly start?: ComponentChildren;
}

/** The editor's end: files, tabs, and the open file or the pending diff. */
export function EditorPane({ head, start }: EditorPaneProps) {
  const { model, view } = usePage();
  const { reviews, tabs } = model.state.value;
  const waiting = reviews.find(({ id }) => id === view.review.value) ?? reviews[0];
  const first = view.showsFile.value ? undefined : waiting;
  const past = view.change.value;
  const live = model.cursor.value === undefined && model.actions !== undefined;
  const active = tabs.at(-1);
  useEffect(() => {
    if (waiting === undefined) view.showsFile.value = false;
  }, [waiting]);
  return (
    <CommandScope.Provider value="Editor">
      <section class="pane editor-pane" aria-label="Editor" data-pane="editor">
        {head}
        {first !== waiting && <Lazy load={reviewsWait} />}
        {past !== undefined ? (
          <Lazy key={past} load={pastReview} props={{ id: past }} />
        ) : first !== undefined ? (
          <Lazy key={`${first.id} ${live}`} load={review} props={{ id: first.id, live }} />
        ) : (
          active === undefined && (start ?? <p class="empty">No open file</p>)
        )}
        {active !== undefined && first === undefined && (
          // It stays mounted while a past change is shown: undone hunks are in its undo history.
          <div class="open-file" hidden={past !== undefined}>
            <File key={`${active} ${live}`} path={active} live={live} />
          </div>
        )}
      </section>
    </CommandScope.Provider>
  );
}

function File({ path, live }: { readonly path: string; readonly live: boolean }) {
  const { model } = usePage();
  const { diagnostics } = model.state.value;
  const { actions } = model;
  // Typed text is not in the log, so the state may be the same when it is another one.
  void model.version.value;
  // A past moment shows its own text.
  const newest = (): string | undefined => {
    if (!live) return model.state.peek().files.get(path);
    // Typed text is in the log before it is in the rendered state, which is not updated for each event.
    return actions?.typed(path) ?? model.stateAt(model.own.log.last).files.get(path);
  };
  const known = newest();
  const text = known ?? "";
  const [editor, setEditor] = useState<CodeEditor | undefined>();
  const found = diagnostics.get(path);
  // Effects run after rendering: the person may have typed meanwhile.
  useEffect(() => editor?.setText(newest() ?? ""), [editor, text]);
  useEffect(() => editor?.setDiagnostics(found ?? []), [editor, found]);
  if (known === undefined) {
    return (
      <p class="empty">
        <ForeignText text={path} /> is too long to show here.
      </p>
    );
  }
  return (
    <>
      {/* Reserves its space while it loads. */}
      <div class="bar">
        <Lazy load={fileActions} props={{ path, live }} />
      </div>
      <ShadowHost<CodeEditor>
        text={text}
        onopen={setEditor}
        open={async (root) => {
          const { createCodeEditor } = await import("./code-editor.ts");
          return createCodeEditor(root, {
            ...{ path, text: newest() ?? "", readOnly: !live },
            onchange: (change) => actions?.type(path, change),
            onsave: () => actions?.save(path),
            onselect: (range) => actions?.select(path, range),
          });
        }}
      />
    </>
  );
}

import { useEffect, useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { Later } from "../ui/later.tsx";
import { ShadowHost } from "../ui/shadow-host.tsx";
import type { CodeEditor } from "./code-editor.ts";
import { FileTabs } from "./file-tabs.tsx";

const review = () => import("../review/review-pane.tsx").then(({ Review }) => Review);
const liveFiles = () => import("../live/views.ts").then(({ LiveFiles }) => LiveFiles);

/** The editor's end: files, tabs, and the open file or the pending diff. */
export function EditorPane() {
  const { model } = usePage();
  const { reviews, tabs, files } = model.state.value;
  const [first] = reviews;
  const live = model.cursor.value === undefined && model.actions !== undefined;
  const active = tabs.at(-1);
  return (
    <section class="pane editor-pane" aria-label="Editor" data-pane="editor">
      {model.kind.value === "live" ? (
        <Later load={liveFiles} />
      ) : (
        <FileTabs label="Files" paths={[...files.keys()]} />
      )}
      {first !== undefined ? (
        <Later key={`${first.id} ${live}`} load={review} sent={{ id: first.id, live }} />
      ) : active !== undefined ? (
        <File key={`${active} ${live}`} path={active} live={live} />
      ) : (
        <p class="empty">No open file</p>
      )}
    </section>
  );
}

function File({ path, live }: { readonly path: string; readonly live: boolean }) {
  const { model } = usePage();
  const { files, diagnostics } = model.state.value;
  const { actions } = model;
  // A moment of the past shows the text of then.
  const typed = (): string | undefined => (live ? actions?.typed(path) : undefined);
  const known = typed() ?? files.get(path);
  const text = known ?? "";
  const newest = (): string => typed() ?? model.state.peek().files.get(path) ?? "";
  const [editor, setEditor] = useState<CodeEditor | undefined>();
  const found = diagnostics.get(path);
  // Effects run after the draw: the person may have typed meanwhile.
  useEffect(() => editor?.setText(newest()), [editor, text]);
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
      <FileActions path={path} live={live} />
      <ShadowHost<CodeEditor>
        text={text}
        onopen={setEditor}
        open={async (root) => {
          const { createCodeEditor } = await import("./code-editor.ts");
          return createCodeEditor(root, {
            ...{ path, text: newest(), readOnly: !live },
            onchange: (next) => actions?.type(path, next),
            onsave: () => actions?.save(path),
            onselect: (range) => actions?.select(path, range),
          });
        }}
      />
    </>
  );
}

function FileActions({ path, live }: { readonly path: string; readonly live: boolean }) {
  const { model } = usePage();
  const { actions } = model;
  const { selection, unsaved } = model.state.value;
  const canAct = live && model.isReachable;
  const range = selection?.path === path ? selection.range : undefined;
  const isSelected = range !== undefined && range.start.line !== range.end.line;
  const mention = (): void => {
    const lines = isSelected ? { start: range.start.line, end: range.end.line } : undefined;
    actions?.mention(path, lines);
  };
  return (
    <div class="bar actions">
      <span class="path">
        <ForeignText text={path} />
      </span>
      <Button disabled={!canAct} onClick={mention} data-testid="mention">
        {isSelected ? "Mention lines" : "Mention file"}
      </Button>
      <Button disabled={!canAct || !unsaved.has(path)} onClick={() => actions?.save(path)}>
        Save
      </Button>
      <Button disabled={!canAct} onClick={() => actions?.close(path)}>
        Close
      </Button>
    </div>
  );
}

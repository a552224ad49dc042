import { useEffect, useRef, useState } from "preact/hooks";
import type { CodeEditor } from "../code/code-editor.ts";
import type { ReviewEditor } from "../code/review-editor.ts";
import { useParts } from "./parts.ts";
import { ShadowHost } from "./shadow-host.tsx";

/** The editor's end: files, tabs, the open file, or the proposal that waits. */
export function EditorPane() {
  const { session } = useParts();
  const { reviews, tabs } = session.state.value;
  const [review] = reviews;
  const live = session.cursor.value === undefined && session.simulation !== undefined;
  const active = tabs.at(-1);
  return (
    <section class="pane editor-pane" aria-label="Editor" data-pane="editor">
      <Files />
      {review !== undefined ? (
        <Review key={`${review.id} ${live}`} id={review.id} live={live} />
      ) : active !== undefined ? (
        <File key={`${active} ${live}`} path={active} live={live} />
      ) : (
        <p class="empty">Choose a file above to open it.</p>
      )}
    </section>
  );
}

function Files() {
  const { session } = useParts();
  const { files, tabs, unsaved, diagnostics } = session.state.value;
  const active = tabs.at(-1);
  const open = (path: string): void =>
    session.simulation?.gesture("person", `opens ${path}`, () =>
      session.simulation?.editor.openFile(path),
    );
  return (
    <nav class="bar files" aria-label="Files">
      {[...files.keys()].sort().map((path) => {
        const count = diagnostics.get(path)?.length ?? 0;
        return (
          <button
            type="button"
            key={path}
            class="tab"
            aria-pressed={path === active}
            onClick={() => open(path)}
            title={path}
          >
            {path.slice(path.lastIndexOf("/") + 1)}
            {unsaved.has(path) && <span class="dot" role="img" aria-label="unsaved" />}
            {count > 0 && (
              <span class="count" role="img" aria-label={`${count} problems`}>
                {count}
              </span>
            )}
          </button>
        );
      })}
    </nav>
  );
}

function File({ path, live }: { readonly path: string; readonly live: boolean }) {
  const { session } = useParts();
  const { files, diagnostics } = session.state.value;
  const text = files.get(path) ?? "";
  const [editor, setEditor] = useState<CodeEditor | undefined>();
  const found = diagnostics.get(path);
  useEffect(() => editor?.setText(text), [editor, text]);
  useEffect(() => editor?.setDiagnostics(found ?? []), [editor, found]);
  return (
    <>
      <FileActions path={path} live={live} />
      <ShadowHost<CodeEditor>
        text={text}
        onopen={setEditor}
        open={async (root) => {
          const { createCodeEditor } = await import("../code/code-editor.ts");
          const { simulation } = session;
          return createCodeEditor(root, {
            ...{ path, text: session.state.peek().files.get(path) ?? "", readOnly: !live },
            onchange: (next) => simulation?.editor.type(path, next),
            onsave: () => void simulation?.editor.save(simulation.editor.absolute(path)),
            onselect: (range) => {
              const words = `selects in ${path}`;
              simulation?.gesture("person", words, () =>
                simulation.editor.selectRange(path, range),
              );
            },
          });
        }}
      />
    </>
  );
}

function FileActions({ path, live }: { readonly path: string; readonly live: boolean }) {
  const { session } = useParts();
  const { simulation } = session;
  const { selection, unsaved } = session.state.value;
  const range = selection?.path === path ? selection.range : undefined;
  const isSelected = range !== undefined && range.start.line !== range.end.line;
  const mention = (): void => {
    const lines = isSelected ? { start: range.start.line, end: range.end.line } : undefined;
    simulation?.gesture("person", `sends ${path} to the agent`, () =>
      simulation.editor.mention(path, lines),
    );
  };
  return (
    <div class="bar actions">
      <span class="path">{path}</span>
      <button type="button" disabled={!live} onClick={mention} data-testid="mention">
        {isSelected ? "Mention lines" : "Mention file"}
      </button>
      <button
        type="button"
        disabled={!live || !unsaved.has(path)}
        onClick={() => void simulation?.editor.save(simulation.editor.absolute(path))}
      >
        Save
      </button>
      <button
        type="button"
        disabled={!live}
        onClick={() =>
          simulation?.gesture("person", `closes ${path}`, () => simulation.editor.closeFile(path))
        }
      >
        Close
      </button>
    </div>
  );
}

function Review({ id, live }: { readonly id: string; readonly live: boolean }) {
  const { session } = useParts();
  const { reviews } = session.state.value;
  const review = useRef(reviews.find((one) => one.id === id)).current;
  const editor = useRef<ReviewEditor | undefined>(undefined);
  const [chunks, setChunks] = useState(0);
  if (review === undefined) return null;
  const answer = (kind: "accepted" | "rejected" | "closed"): void => {
    const { simulation } = session;
    const text = editor.current?.text ?? review.proposed;
    const words = { accepted: "accepts", rejected: "rejects", closed: "closes the diff of" }[kind];
    simulation?.gesture("person", `${words} ${review.path}`, () =>
      simulation.editor.answer(id, kind === "accepted" ? { kind, text } : { kind }),
    );
  };
  return (
    <div class="review" data-testid="review">
      <div class="bar actions">
        <span class="path">
          Change of {review.path}
          <small>
            {reviews.length > 1 ? `${reviews.length} wait, ` : ""}
            {chunks === 1 ? "1 part" : `${chunks} parts`}
          </small>
        </span>
        <button type="button" class="yes" disabled={!live} onClick={() => answer("accepted")}>
          Accept
        </button>
        <button type="button" class="no" disabled={!live} onClick={() => answer("rejected")}>
          Reject
        </button>
        <button type="button" disabled={!live} onClick={() => answer("closed")}>
          Close
        </button>
      </div>
      <ShadowHost<ReviewEditor>
        text={review.proposed}
        onopen={(opened) => {
          editor.current = opened;
        }}
        open={async (root) => {
          const { createReviewEditor } = await import("../code/review-editor.ts");
          return createReviewEditor(root, { ...review, readOnly: !live, onchunks: setChunks });
        }}
      />
    </div>
  );
}

import { useMemo, useRef, useState } from "preact/hooks";
import { openChosen, usePage } from "../state/page-context.ts";
import { set } from "../ui/controls.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { countOf } from "../ui/figures.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { FILE_ROW_PX, useVisibleRows } from "../ui/visible-rows.ts";
import { findFiles, toFileNames } from "./find-files.ts";
import { folderOf } from "./page-folder.ts";

/** Opens a file of the folder by a part of its path; at first the open files are on top. */
export function QuickOpen() {
  const page = usePage();
  const files = folderOf(page.model)?.files.value ?? [];
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const names = useMemo(() => {
    const open = [...page.model.state.peek().tabs].reverse();
    return toFileNames([...new Set([...open, ...files])]);
  }, [files]);
  const found = useMemo(() => findFiles(names, typed), [names, typed]);
  const shown = useVisibleRows(box, { count: found.length, rowPx: FILE_ROW_PX });
  const close = set(page.view.dialog, undefined);
  const move = (to: number): void => {
    setAt(to);
    shown.reveal(to);
  };
  const open = (index: number): void => {
    const path = found[index];
    if (path === undefined) return;
    close();
    page.view.pane.value = "editor";
    openChosen(page, path);
  };
  return (
    <Dialog title="Open a file">
      <input
        class="palette-input"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="found-files"
        aria-activedescendant={at < shown.from || at >= shown.to ? undefined : `found-${at}`}
        aria-label="Find a file"
        placeholder="Type a part of its path"
        value={typed}
        data-testid="quick-open"
        autofocus
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          move(0);
        }}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
          if (by === undefined && event.key !== "Enter") return;
          event.preventDefault();
          if (by === undefined) open(at);
          else move(Math.max(0, Math.min(found.length - 1, at + by)));
        }}
      />
      <div class="found-files" ref={box}>
        <div
          id="found-files"
          role="listbox"
          aria-label="Files"
          style={{ height: `${found.length * FILE_ROW_PX}px` }}
        >
          {found.slice(shown.from, shown.to).map((path, place) => {
            const index = shown.from + place;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the field above has the focus
              <div
                key={path}
                id={`found-${index}`}
                role="option"
                aria-setsize={found.length}
                aria-posinset={index + 1}
                aria-selected={index === at}
                style={{ top: `${index * FILE_ROW_PX}px` }}
                onClick={() => open(index)}
              >
                <ForeignText text={path.slice(path.lastIndexOf("/") + 1)} />
                <span class="hint">
                  <ForeignText text={path.slice(0, Math.max(0, path.lastIndexOf("/")))} />
                </span>
              </div>
            );
          })}
        </div>
      </div>
      <p class="hint" role="status">
        {countOf(found.length, "file")}
      </p>
    </Dialog>
  );
}

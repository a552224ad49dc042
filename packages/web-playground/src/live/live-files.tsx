import { useMemo, useRef, useState } from "preact/hooks";
import { quickOpen, searchInFiles } from "../commands/dialogs.ts";
import { FileTabs } from "../editor/file-tabs.tsx";
import { openChosen, usePage } from "../state/page-context.ts";
import { Button, CommandButton, set } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { rowAfter } from "../ui/row-after.ts";
import { FILE_ROW_PX, useVisibleRows } from "../ui/visible-rows.ts";
import { ChangesList } from "./changes-list.tsx";
import { type TreeRow, toTreeRows } from "./file-tree.ts";
import type { PageFolder } from "./page-folder.ts";

/** The tree of files. */
export function FilesPane({ live }: { readonly live: PageFolder }) {
  return (
    <nav class="pane files-pane" aria-label="Files">
      <ChangesList changes={live.changes} />
      <header class="bar">
        <h2>Files</h2>
        <span class="spring" />
        <CommandButton command={searchInFiles(usePage())} kind="icon" />
        <CommandButton command={quickOpen(usePage())} kind="icon" />
      </header>
      <Tree live={live} />
    </nav>
  );
}

/** Above the text: notices and the open files. */
export function EditorHead({ live }: { readonly live: PageFolder }) {
  const { tabs } = usePage().model.state.value;
  return (
    <>
      <Banner live={live} />
      {tabs.length > 0 && <FileTabs label="Open files" paths={[...tabs]} />}
    </>
  );
}

function Banner({ live }: { readonly live: PageFolder }) {
  const notice = live.notice.value;
  const stale = live.stale.first.value;
  const isDown = live.link.status.value === "lost" || live.link.status.value === "refused";
  return (
    <div role="status" data-testid="live" data-status={live.link.status.value}>
      {isDown && (
        <p class="banner bad">
          {live.link.status.value === "lost" ? "Not connected." : "This tab was refused."} See
          below.
        </p>
      )}
      {stale !== undefined && (
        <p class="banner" data-testid="stale">
          <ForeignText text={stale.words} />
          <Button
            title="Overwrite with mine"
            needsConnection
            run={() => live.settle(stale.path, "mine")}
          />
          <Button
            title="Use the file on disk"
            needsConnection
            run={() => live.settle(stale.path, "disk")}
          />
          <Button title="Decide later" run={() => live.stale.remove(stale.path)} />
        </p>
      )}
      {notice !== undefined && (
        <p class="banner" data-testid="notice">
          <ForeignText text={notice} />
          <Button title="Dismiss" run={set(live.notice, undefined)} />
        </p>
      )}
    </div>
  );
}

function Tree({ live }: { readonly live: PageFolder }) {
  const page = usePage();
  const { model } = page;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(0);
  const active = model.state.value.tabs.at(-1);
  const { value: files } = live.files;
  const rows = useMemo(() => toTreeRows(files, (folder) => open.has(folder)), [files, open]);
  const box = useRef<HTMLDivElement>(null);
  const shown = useVisibleRows(box, { count: rows.length, rowPx: FILE_ROW_PX });
  const toggle = (folder: string): void => {
    const next = new Set(open);
    if (!next.delete(folder)) next.add(folder);
    setOpen(next);
  };
  const act = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    setAt(index);
    if (row.open === undefined) openChosen(page, row.path);
    else toggle(row.path);
  };
  const move = (key: string): boolean => {
    const row = rows[at];
    const next = rowAfter(key, at, { count: rows.length });
    if (next !== undefined) {
      setAt(next);
      shown.reveal(next);
    } else if (key === "Enter" || key === " ") act(at);
    else if (key === "ArrowRight" && row?.open === false) toggle(row.path);
    else if (key === "ArrowLeft" && row?.open === true) toggle(row.path);
    else return false;
    return true;
  };
  return (
    <div class="tree-box" ref={box}>
      <div
        class="tree"
        role="tree"
        tabIndex={0}
        aria-label="Files of the folder"
        aria-activedescendant={at < shown.from || at >= shown.to ? undefined : `file-${at}`}
        style={{ height: `${rows.length * FILE_ROW_PX}px` }}
        onKeyDown={(event) => {
          if (move(event.key)) event.preventDefault();
        }}
      >
        {rows.slice(shown.from, shown.to).map((row, place) => {
          const index = shown.from + place;
          return (
            <TreeItem
              {...{ row, index }}
              key={row.path}
              isHere={index === at}
              isActive={row.path === active}
              run={() => act(index)}
            />
          );
        })}
      </div>
      {live.cut.value && <p class="hint">Not all files are listed.</p>}
    </div>
  );
}

interface TreeItemProps {
  readonly row: TreeRow;
  readonly index: number;
  /** Whether the keys act on it. */
  readonly isHere: boolean;
  /** Whether the editor shows it. */
  readonly isActive: boolean;
  readonly run: () => void;
}

function TreeItem({ row, index, isHere, isActive, run }: TreeItemProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus
    <div
      id={`file-${index}`}
      class={isHere ? "here" : undefined}
      role="treeitem"
      aria-level={row.level}
      aria-setsize={row.siblings}
      aria-posinset={row.place}
      aria-selected={isActive}
      aria-expanded={row.open}
      style={{
        top: `${index * FILE_ROW_PX}px`,
        paddingInlineStart: `${row.level * 12 - 4}px`,
      }}
      onClick={run}
    >
      <span aria-hidden="true" class="twist">
        {row.open === undefined ? "" : row.open ? "▼" : "►"}
      </span>
      <ForeignText text={row.name} />
    </div>
  );
}

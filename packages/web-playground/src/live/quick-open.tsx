import { baseName } from "@idewire/core";
import { countOf } from "@idewire/core/internal/base";
import { useMemo, useState } from "preact/hooks";
import { openChosen, usePage } from "../state/page-context.ts";
import { set } from "../ui/controls.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { FoundList } from "../ui/found-list.tsx";
import { findFiles, toFileNames } from "./find-files.ts";
import { folderOf } from "./page-folder.ts";

/** Opens a file of the folder by a part of its path; at first the open files are on top. */
export function QuickOpen() {
  const page = usePage();
  const files = folderOf(page.model)?.files.value ?? [];
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const names = useMemo(() => {
    const open = [...page.model.state.peek().tabs].reverse();
    return toFileNames([...new Set([...open, ...files])]);
  }, [files]);
  const found = useMemo(() => findFiles(names, typed), [names, typed]);
  const open = (index: number): void => {
    const path = found[index];
    if (path === undefined) return;
    set(page.view.dialog, undefined)();
    page.view.pane.value = "editor";
    openChosen(page, path);
  };
  return (
    <Dialog title="Open a file">
      <FoundList
        field={{
          ...{ label: "Find a file", placeholder: "Type a part of its path", testid: "quick-open" },
          value: typed,
          ontype: (text) => {
            setTyped(text);
            setAt(0);
          },
        }}
        label="Files"
        items={found}
        at={at}
        onmove={setAt}
        onopen={open}
        draw={(path) => <FileName path={path} />}
      />
      <p class="hint" role="status">
        {countOf(found.length, "file")}
      </p>
    </Dialog>
  );
}

function FileName({ path }: { readonly path: string }) {
  return (
    <>
      <ForeignText text={baseName(path)} />
      <span class="hint">
        <ForeignText text={path.slice(0, Math.max(0, path.lastIndexOf("/")))} />
      </span>
    </>
  );
}

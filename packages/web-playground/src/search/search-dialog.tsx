import { baseName } from "@idewire/core";
import { countOf } from "@idewire/core/internal/base";
import { MAX_QUERY_UNITS } from "@idewire/devtools/internal";
import { useEffect } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { set } from "../ui/controls.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { FoundList } from "../ui/found-list.tsx";
import { type FoundPlace, type SearchModel, searchOf } from "./search-model.ts";

const showRange = () => import("../editor/show-range.ts");

/** Searches in the contents of all files; what was found stays for the next time. */
export function SearchDialog() {
  const page = usePage();
  const search = searchOf(page.model);
  const { value: found } = search.found;
  const { value: at } = search.at;
  useEffect(() => {
    if (search.end.peek() === undefined) void search.run();
    return () => search.stop();
  }, []);
  const open = (index: number): void => {
    const place = found[index];
    if (place === undefined) return;
    search.at.value = index;
    set(page.view.dialog, undefined)();
    void showRange().then((editor) => editor.showRange(page, place.path, rangeOf(place)));
  };
  return (
    <Dialog title="Search in files">
      <FoundList
        field={{
          ...{ label: "Text to search for", placeholder: "Type a text", testid: "search-files" },
          value: search.text.value,
          maxLength: MAX_QUERY_UNITS,
          ontype: (text) => {
            search.text.value = text;
            search.runSoon();
          },
        }}
        label="Lines"
        items={found}
        at={at}
        onmove={(to) => {
          search.at.value = to;
        }}
        onopen={open}
        draw={(place) => (
          <>
            <Line place={place} />
            <Place place={place} />
          </>
        )}
        large
      >
        <Checkbox
          label="Match case"
          checked={search.matchCase.value}
          onchange={(checked) => {
            search.matchCase.value = checked;
            void search.run();
          }}
        />
      </FoundList>
      <p class="hint" role="status" data-testid="search-status">
        {describe(search)}
      </p>
    </Dialog>
  );
}

/** How much of a line is shown before its first match, in UTF-16 units, on a narrow and a wide screen. */
const SHOWN_BEFORE = 26;
const SHOWN_BEFORE_WIDE = 60;

/** The line with its matches marked, without its indentation. */
function Line({ place: { text, from, matches } }: { readonly place: FoundPlace }) {
  const indented = text.length - text.trimStart().length;
  const [[first = 0] = []] = matches;
  // On a narrow screen, the match would be cut off.
  const reach = matchMedia("(width < 700px)").matches ? SHOWN_BEFORE : SHOWN_BEFORE_WIDE;
  const begin = Math.max(indented, first - reach);
  let rest = begin;
  const parts = matches.map(([start, end]) => {
    const before = text.slice(rest, start);
    rest = end;
    return (
      <>
        <ForeignText text={before} />
        <mark class="found">
          <ForeignText text={text.slice(Math.max(start, 0), end)} />
        </mark>
      </>
    );
  });
  return (
    <code>
      {from + begin > indented && "…"}
      {parts}
      <ForeignText text={text.slice(rest)} />
    </code>
  );
}

function Place({ place: { path, line } }: { readonly place: FoundPlace }) {
  const name = baseName(path);
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  return (
    <span class="place" title={`${path}:${line + 1}`}>
      <ForeignText text={name} />:{line + 1}
      {folder !== "" && (
        <span class="hint">
          <ForeignText text={folder} />
        </span>
      )}
    </span>
  );
}

function rangeOf({ line, from, matches }: FoundPlace) {
  const [start = 0, end = 0] = matches[0] ?? [];
  return {
    start: { line, character: from + start },
    end: { line, character: from + end },
  };
}

const CUT = {
  lines: "The search ended at its limit of lines; type more of the text.",
  time: "The search ended at its limit of time; not all files were searched.",
  units: "The search ended at its limit of text; not all files were searched.",
  stopped: "",
} as const;

function describe(search: SearchModel): string {
  const { text, found, files, end, isRunning, problem } = search;
  if (problem.value !== undefined) return `${problem.value}.`;
  if (text.value === "") return "Files of the folder, unsaved text included.";
  const lines = found.value.length;
  const counts = `${countOf(lines, "line")} in ${countOf(files.value, "file")}`;
  if (isRunning.value) return `Searching: ${counts}`;
  const { cut, files: searched = 0 } = end.value ?? {};
  if (cut !== undefined) return `${counts}. ${CUT[cut]}`;
  return lines === 0 ? `Nothing found in ${countOf(searched, "file")}` : counts;
}

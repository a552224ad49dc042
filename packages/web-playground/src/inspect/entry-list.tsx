import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { RefreshCw } from "../ui/icons.ts";

/** An entry of a list of a server. */
export interface ListedEntry {
  /** Unique in its list. */
  readonly key: string;
  readonly name: string;
  readonly about: string;
  /** Facts about it, in a word each. */
  readonly marks: readonly string[];
}

interface EntryListProps {
  /** The name of the entries, in the plural. */
  readonly what: string;
  /** Undefined until the server has listed them. */
  readonly entries: readonly ListedEntry[] | undefined;
  readonly chosen: string | undefined;
  readonly onchoose: (key: string | undefined) => void;
  readonly onrefresh: () => void;
  /** The view of the chosen entry. */
  readonly children: ComponentChildren;
}

/** Entries that are drawn at once: more of them would delay each letter of the search. */
const DRAWN = 200;

/** A list that can be searched, with the view of the chosen entry in its place. */
export function EntryList(props: EntryListProps) {
  const { what, entries, chosen, onchoose, onrefresh, children } = props;
  const [search, setSearch] = useState("");
  const [most, setMost] = useState(DRAWN);
  const wanted = search.trim().toLowerCase();
  const found = entries?.filter(({ name, about }) =>
    `${name} ${about}`.toLowerCase().includes(wanted),
  );
  const drawn = found?.filter(({ key }, at) => at < most || key === chosen);
  const rest = (found?.length ?? 0) - (drawn?.length ?? 0);
  return (
    <>
      <div class="ask-line entry-search">
        <input
          type="search"
          aria-label={`Search ${what}`}
          placeholder={`Search ${what}`}
          value={search}
          data-testid="search-entries"
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <Button title="List again" icon={RefreshCw} kind="icon" needsConnection run={onrefresh} />
      </div>
      {found === undefined && <p class="hint">The server has listed no {what} yet.</p>}
      {found?.length === 0 && <p class="hint">No {what}</p>}
      <ul class="entries" aria-label={what}>
        {drawn?.map((entry) => (
          <li key={entry.key} class="entry-item" data-testid="entry">
            <Entry
              entry={entry}
              isChosen={entry.key === chosen}
              onchoose={() => onchoose(entry.key === chosen ? undefined : entry.key)}
            />
            {entry.key === chosen && <div class="entry-view ask">{children}</div>}
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <Button title={`Show ${Math.min(rest, DRAWN)} more`} run={() => setMost(most + DRAWN)} />
      )}
    </>
  );
}

interface EntryProps {
  readonly entry: ListedEntry;
  readonly isChosen: boolean;
  readonly onchoose: () => void;
}

function Entry({ entry: { name, about, marks }, isChosen, onchoose }: EntryProps) {
  return (
    <button type="button" class="entry" aria-expanded={isChosen} onClick={onchoose}>
      <span class="entry-name">
        <ForeignText text={name} />
        {marks.map((mark) => (
          <small key={mark} class="entry-mark">
            {mark}
          </small>
        ))}
      </span>
      {about !== "" && !isChosen && (
        <span class="entry-about">
          <ForeignText text={about} />
        </span>
      )}
    </button>
  );
}

/** The first line of a text of a server; empty for anything else. */
export function firstLine(value: unknown): string {
  return typeof value === "string" ? (value.trim().split("\n")[0] ?? "") : "";
}

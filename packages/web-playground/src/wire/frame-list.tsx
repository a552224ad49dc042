import { firstFrom } from "@idewire/devtools/internal";
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Command } from "../commands/registry.ts";
import { useCommands } from "../commands/use-command.ts";
import { chainOf, effectsOf } from "../state/causes.ts";
import { usePage } from "../state/page-context.ts";
import type { ListedEvent, Rows } from "../state/rows.ts";
import type { PageViewState } from "../state/view-state.ts";
import { Button } from "../ui/controls.tsx";
import { rowAfter } from "../ui/row-after.ts";
import { revealRow } from "../ui/visible-rows.ts";
import { useFollowedRows } from "./use-followed-rows.ts";

/** The height of a row in pixels, as the style sheet has it. */
export function rowHeight({ presenter }: Pick<PageViewState, "presenter">): number {
  if (presenter.value) return 36;
  return isNarrow.value ? 40 : 24;
}

const narrow = matchMedia("(width < 440px)");
/** Whether a row has two lines, since one would cut the names of tools. */
const isNarrow = signal(narrow.matches);
narrow.addEventListener("change", ({ matches }) => {
  isNarrow.value = matches;
});

/** The state of a row in its list. */
export interface RowPlace {
  readonly index: number;
  readonly selected: boolean;
  /** Whether it is the pair, cause or effect of the selected row. */
  readonly related: boolean;
}

interface FrameListProps<Row extends ListedEvent> {
  readonly label: string;
  readonly rows: Rows<Row>;
  readonly draw: (row: Row, place: RowPlace) => ComponentChildren;
  /** The column heads, which stay in view and make the list a table. */
  readonly head?: ComponentChildren;
  /** Drawn behind the rows from one index to another. */
  readonly behind?: (from: number, to: number) => ComponentChildren;
}

/** Rows of one height, newest at the bottom; only the visible ones are rendered. */
export function FrameList<Row extends ListedEvent>(props: FrameListProps<Row>) {
  const { label, rows, draw, head, behind } = props;
  const { view, model } = usePage();
  const list = useRef<HTMLDivElement>(null);
  const rowPx = rowHeight(view);
  const selected = view.selected.value;
  const chosen = selected === undefined ? -1 : indexOf(rows, selected);
  const drawn = useFollowedRows({ list, rows, rowPx, chosen });
  const { from, to } = drawn;
  const related = chainOf(model, selected);
  // A second connection adds a column to all rows.
  const isSeveral = model.index.channels.size > 1;
  const cells = useCells({ from, to, of: [rows, selected, rowPx, isSeveral] }, (index) => {
    const row = rows.list[index];
    if (row === undefined) return null;
    return draw(row, { index, selected: row.n === selected, related: related.has(row.n) });
  });
  const choose = (index: number): void => {
    const row = rows.list[index];
    if (row === undefined) return;
    view.show(row.n);
    revealRow(list.current, index, rowPx);
  };
  useCommands(useFollowCommands(list, rows, choose));
  const role = head === undefined ? "listbox" : "grid";
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have them */}
      <div
        class="wire-list"
        ref={list}
        role={role}
        tabIndex={0}
        aria-label={label}
        {...(head && { "aria-rowcount": rows.length + 1 })}
        aria-activedescendant={chosen < from || chosen >= to ? undefined : `frame-${selected}`}
        onScroll={({ currentTarget }) => drawn.onScroll(currentTarget)}
        onKeyDown={(event) => {
          const page = Math.max(1, Math.floor(drawn.height / rowPx) - 1);
          const index = rowAfter(event.key, chosen, { count: rows.length, page });
          if (index === undefined) return;
          event.preventDefault();
          choose(index);
        }}
      >
        {head}
        <div
          class="wire-rows"
          style={{ height: `${rows.length * rowPx}px` }}
          role={head === undefined ? "presentation" : "rowgroup"}
        >
          {behind?.(from, to)}
          {cells}
        </div>
      </div>
      {!drawn.follows && (
        <div class="newest">
          <Button title="Newest" run={drawn.follow} />
        </div>
      )}
    </>
  );
}

/** Commands whose keys work while the list has the focus. */
function useFollowCommands(
  list: { readonly current: HTMLElement | null },
  rows: Rows<ListedEvent>,
  choose: (index: number) => void,
): readonly Command[] {
  const { view, model } = usePage();
  const selected = view.selected.value;
  const isFocused = (): boolean =>
    list.current !== null && document.activeElement === list.current && selected !== undefined;
  const follow = (
    id: string,
    title: string,
    key: string,
    find: (n: number) => number | undefined,
  ): Command => {
    const target = () => (selected === undefined ? undefined : find(selected));
    const run = (): void => {
      const n = target();
      if (n === undefined) return;
      const index = indexOf(rows, n);
      if (index === -1) view.show(n);
      else choose(index);
    };
    return { id, title, keys: [key], when: () => isFocused() && target() !== undefined, run };
  };
  return [
    follow("cause", "Go to the cause", "ArrowLeft", (n) => model.log.at(n)?.by),
    follow("effect", "Go to the effect", "ArrowRight", (n) =>
      effectsOf(model, n).find((effect) => indexOf(rows, effect) !== -1),
    ),
    follow("pair", "Go between a request and its reply", "P", (n) => model.index.of(n)?.pair),
    {
      id: "actions",
      title: "Open the actions of the selected frame",
      keys: ["Shift+F10"],
      when: () => isFocused() && menuOf(list.current) !== null,
      run: () => menuOf(list.current)?.click(),
    },
    {
      id: "open",
      title: "Open the selected frame",
      keys: ["Enter"],
      when: isFocused,
      run: () => view.openFrame(),
    },
  ];
}

/** The button of the menu of the selected row; only a call to an MCP server has one. */
function menuOf(list: HTMLElement | null): HTMLElement | null {
  return list?.querySelector<HTMLElement>('[aria-selected="true"] .row-menu > button') ?? null;
}

/** The rendered rows, and their dependencies. */
interface Window {
  readonly from: number;
  readonly to: number;
  /** A change of any of these renders all rows again. */
  readonly of: readonly unknown[];
}

/** The visible cells; scrolling renders only the new ones. */
function useCells(
  { from, to, of }: Window,
  draw: (index: number) => ComponentChildren,
): readonly ComponentChildren[] {
  const before = useRef<{ of: readonly unknown[]; cells: Map<number, ComponentChildren> }>({
    of: [],
    cells: new Map(),
  });
  const isSame = of.every((one, at) => one === before.current.of[at]);
  const cells = new Map<number, ComponentChildren>();
  for (let index = from; index < to; index += 1) {
    cells.set(index, (isSame ? before.current.cells.get(index) : undefined) ?? draw(index));
  }
  before.current = { of, cells };
  return [...cells.values()];
}

function indexOf({ list, length }: Rows<ListedEvent>, n: number): number {
  const at = firstFrom(list, n);
  return at < length && list[at]?.n === n ? at : -1;
}

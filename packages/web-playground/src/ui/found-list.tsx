import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { rowAfter } from "./row-after.ts";
import { FILE_ROW_PX, useVisibleRows } from "./visible-rows.ts";

/** The field for the search text. */
interface FieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly ontype: (text: string) => void;
  readonly maxLength?: number;
  readonly testid: string;
}

interface FoundListProps<Item> {
  readonly field: FieldProps;
  /** The name of the lines, such as "Files". */
  readonly label: string;
  readonly items: readonly Item[];
  /** The index of the selected line. */
  readonly at: number;
  readonly onmove: (to: number) => void;
  /** Enter, or a click. */
  readonly onopen: (index: number) => void;
  readonly draw: (item: Item) => ComponentChildren;
  /** Lines of text, whose number is not yet known: more room for both. */
  readonly large?: boolean;
  /** Beside the field. */
  readonly children?: ComponentChildren;
}

/** A field whose keys control the list below it; of a long list, only the lines in view are rendered. */
export function FoundList<Item>(props: FoundListProps<Item>) {
  const { field, label, items, at, onmove, onopen, draw, large = false, children } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const shown = useVisibleRows(box, { count: items.length, rowPx: FILE_ROW_PX });
  useEffect(() => input.current?.select(), []);
  useEffect(() => shown.reveal(at), [at, items]);
  const onKeyDown = (event: KeyboardEvent): void => {
    // Home and End are of the text.
    if (event.key === "Home" || event.key === "End") return;
    const next = rowAfter(event.key, at, { count: items.length });
    if (next === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (next === undefined) onopen(at);
    else onmove(next);
  };
  return (
    <>
      <div class="search-fields">
        <input
          ref={input}
          class="palette-input"
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={at < shown.from || at >= shown.to ? undefined : `${id}-${at}`}
          aria-label={field.label}
          placeholder={field.placeholder}
          maxLength={field.maxLength}
          value={field.value}
          data-testid={field.testid}
          autofocus
          onInput={({ currentTarget }) => field.ontype(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {children}
      </div>
      <div class={large ? "found-files found-lines" : "found-files"} ref={box}>
        <div
          id={id}
          role="listbox"
          aria-label={label}
          style={{ height: `${items.length * FILE_ROW_PX}px` }}
        >
          {items.slice(shown.from, shown.to).map((item, place) => {
            const index = shown.from + place;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the field above has the focus
              <div
                key={index}
                id={`${id}-${index}`}
                role="option"
                aria-setsize={items.length}
                aria-posinset={index + 1}
                aria-selected={index === at}
                style={{ top: `${index * FILE_ROW_PX}px` }}
                onClick={() => onopen(index)}
              >
                {draw(item)}
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

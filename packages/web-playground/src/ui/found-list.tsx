import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { type FieldProps, FoundField, type Moves } from "./found-field.tsx";
import { FILE_ROW_PX, useVisibleRows } from "./visible-rows.ts";

interface FoundListProps<Item> extends Moves {
  readonly field: FieldProps;
  /** The name of the lines, such as "Files". */
  readonly label: string;
  readonly items: readonly Item[];
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
  const box = useRef<HTMLDivElement>(null);
  const shown = useVisibleRows(box, { count: items.length, rowPx: FILE_ROW_PX });
  useEffect(() => shown.reveal(at), [at, items]);
  return (
    <>
      <div class="search-fields">
        <FoundField
          {...field}
          list={id}
          count={items.length}
          at={at}
          active={at < shown.from || at >= shown.to ? undefined : `${id}-${at}`}
          onmove={onmove}
          onopen={onopen}
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

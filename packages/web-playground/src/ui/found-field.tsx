import { useEffect, useRef } from "preact/hooks";
import { rowAfter } from "./row-after.ts";

/** The field for the search text. */
export interface FieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly ontype: (text: string) => void;
  readonly maxLength?: number;
  readonly testid: string;
}

/** What the keys of the field do with the list. */
export interface Moves {
  /** The index of the selected line. */
  readonly at: number;
  readonly onmove: (to: number) => void;
  /** Enter, or a click. */
  readonly onopen: (index: number) => void;
}

interface FoundFieldProps extends FieldProps, Moves {
  /** The id of the list. */
  readonly list: string;
  readonly count: number;
  /** The id of the selected line, if it is rendered. */
  readonly active: string | undefined;
}

/** A field whose keys control the list below it; the arrows move from the last line to the first. */
export function FoundField(props: FoundFieldProps) {
  const { label, placeholder, value, ontype, maxLength, testid } = props;
  const { list, count, at, active, onmove, onopen } = props;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    // Home and End are of the text.
    if (key === "Home" || key === "End") return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[key];
    const next = by === undefined ? rowAfter(key, at, { count }) : (at + by + count) % count;
    if (next === undefined && key !== "Enter") return;
    event.preventDefault();
    if (next === undefined) onopen(at);
    else if (count > 0) onmove(next);
  };
  return (
    <input
      ref={input}
      class="palette-input"
      type="text"
      role="combobox"
      aria-expanded="true"
      aria-controls={list}
      aria-activedescendant={active}
      aria-label={label}
      placeholder={placeholder}
      maxLength={maxLength}
      value={value}
      data-testid={testid}
      autofocus
      onInput={({ currentTarget }) => ontype(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

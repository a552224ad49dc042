import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { rowAfter } from "./row-after.ts";

/** One line of a {@link ChoiceList}. */
export interface ChoiceItem {
  readonly id: string;
  readonly content: ComponentChildren;
}

/** Lines that belong together. */
export interface ChoiceGroup {
  readonly title?: string;
  readonly choices: readonly ChoiceItem[];
}

interface ChoiceListProps {
  readonly label: string;
  readonly groups: readonly ChoiceGroup[];
  readonly chosen: string | undefined;
  readonly onchoose: (id: string) => void;
  /** Enter, or a double click. */
  readonly onopen?: (id: string) => void;
  readonly autofocus?: boolean;
  readonly testid?: string;
}

/** A list whose selection moves by the arrow keys, with one tab stop for all lines. */
export function ChoiceList(props: ChoiceListProps) {
  const { label, groups, chosen, onchoose, onopen, autofocus = false, testid } = props;
  const list = useRef<HTMLDivElement>(null);
  const choices = groups.flatMap((group) => group.choices);
  const at = choices.findIndex(({ id }) => id === chosen);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && chosen !== undefined) onopen?.(chosen);
    const next = rowAfter(event.key, at, { count: choices.length });
    if (next === undefined) return;
    event.preventDefault();
    const choice = choices[next];
    if (choice !== undefined) onchoose(choice.id);
  };
  const draw = ({ id, content }: ChoiceItem) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    <div
      key={id}
      id={`choice-${id}`}
      class="choice"
      role="option"
      aria-selected={id === chosen}
      onClick={() => onchoose(id)}
      onDblClick={() => onopen?.(id)}
    >
      {content}
    </div>
  );
  return (
    <div
      class="choices"
      ref={list}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={at === -1 ? undefined : `choice-${chosen}`}
      autofocus={autofocus}
      data-testid={testid}
      onKeyDown={onKeyDown}
    >
      {groups.map(({ title, choices: lines }) =>
        title === undefined ? (
          lines.map(draw)
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be in a listbox
          <div key={title} role="group" aria-label={title}>
            <div class="choices-heading" aria-hidden="true">
              {title}
            </div>
            {lines.map(draw)}
          </div>
        ),
      )}
    </div>
  );
}

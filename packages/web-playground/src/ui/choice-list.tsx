import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** One line of a {@link ChoiceList}. */
export interface Choice {
  readonly id: string;
  readonly content: ComponentChildren;
  /** A heading that stands before it. */
  readonly heading?: string;
}

interface ChoiceListProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: string | undefined;
  readonly onchoose: (id: string) => void;
  /** Enter, or a double click. */
  readonly onopen?: (id: string) => void;
  readonly autofocus?: boolean;
  readonly testid?: string;
}

/** Lines of which one is chosen by the arrow keys: one stop of the tab key for all of them. */
export function ChoiceList(props: ChoiceListProps) {
  const { label, choices, chosen, onchoose, onopen, autofocus = false, testid } = props;
  const list = useRef<HTMLDivElement>(null);
  const at = choices.findIndex(({ id }) => id === chosen);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: choices.length - 1,
      PageDown: at + 10,
      PageUp: at - 10,
    }[event.key];
    if (event.key === "Enter" && chosen !== undefined) onopen?.(chosen);
    if (index === undefined) return;
    event.preventDefault();
    const next = choices[Math.max(0, Math.min(choices.length - 1, index))];
    if (next !== undefined) onchoose(next.id);
  };
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
      {choices.map(({ id, content, heading }) => (
        <Fragment key={id}>
          {heading !== undefined && (
            <div class="choices-heading" role="presentation">
              {heading}
            </div>
          )}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: the list has the focus */}
          <div
            id={`choice-${id}`}
            class="choice"
            role="option"
            aria-selected={id === chosen}
            onClick={() => onchoose(id)}
            onDblClick={() => onopen?.(id)}
          >
            {content}
          </div>
        </Fragment>
      ))}
    </div>
  );
}

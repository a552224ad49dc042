import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { findInFrame } from "../commands/frame.ts";
import { CommandScope } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import { Button, CommandButton } from "../ui/controls.tsx";
import { type FoundPlace, MAX_FOUND } from "./find-text.ts";
import { CurrentSearch } from "./matched-text.tsx";

/** How many matches the person has moved from the first. */
const steps = signal(0);

interface FindInProps {
  readonly find: (searched: string) => readonly FoundPlace[];
  readonly children: ComponentChildren;
}

/** The search in a frame, above the searched content; `find` must be the same function for the same content. */
export function FindIn({ find, children }: FindInProps) {
  const text = usePage().view.searched.value;
  const places = useMemo(() => (text ? find(text) : []), [find, text]);
  const { length } = places;
  const at = length === 0 ? 0 : ((steps.value % length) + length) % length;
  return (
    <CurrentSearch.Provider value={text ? { text, now: places[at] } : undefined}>
      {text === undefined ? <FindButton /> : <FindBar text={text} at={at} count={length} />}
      {children}
    </CurrentSearch.Provider>
  );
}

function FindButton() {
  return (
    <CommandButton
      command={findInFrame(usePage())}
      kind="icon"
      class="find-button"
      data-testid="find"
    />
  );
}

interface FindBarProps {
  readonly text: string;
  /** The index of the current match. */
  readonly at: number;
  readonly count: number;
}

function FindBar({ text, at, count }: FindBarProps) {
  const { searched } = usePage().view;
  const go = (by: number): void => {
    steps.value = at + by;
  };
  const close = (): void => {
    searched.value = undefined;
    document.getElementById("frame-view")?.focus();
  };
  return (
    <CommandScope.Provider value="Find in the frame">
      <search class="bar find" aria-label="Find in the frame">
        <input
          type="search"
          aria-label="Find in the frame"
          placeholder="Find in the frame"
          value={text}
          maxLength={200}
          ref={focusOnce}
          id="find-text"
          data-testid="find-text"
          onInput={({ currentTarget }) => {
            searched.value = currentTarget.value;
            steps.value = 0;
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" && event.key !== "Escape") return;
            event.preventDefault();
            // In the frame itself, Escape goes back to the list.
            event.stopPropagation();
            if (event.key === "Escape") close();
            else go(event.shiftKey ? -1 : 1);
          }}
        />
        <span class="hint num" role="status" data-testid="found">
          {text !== "" && describePlace(at, count)}
        </span>
        <Button
          title="Previous match"
          aria-label="Previous match"
          tooltip="Shift Enter"
          when={() => count !== 0}
          run={() => go(-1)}
        >
          ↑
        </Button>
        <Button
          title="Next match"
          aria-label="Next match"
          tooltip="Enter"
          when={() => count !== 0}
          run={() => go(1)}
        >
          ↓
        </Button>
        <Button title="Close" run={close} />
      </search>
    </CommandScope.Provider>
  );
}

/** Focuses an element when it is mounted. */
function focusOnce(element: HTMLInputElement | null): void {
  element?.focus();
}

function describePlace(at: number, count: number): string {
  if (count === 0) return "no match";
  return `${at + 1} of ${count === MAX_FOUND ? `${count} or more` : count}`;
}

import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { Button, set } from "../ui/controls.tsx";
import { type FoundPlace, MAX_FOUND } from "./find-text.ts";
import { CurrentSearch } from "./sought-text.tsx";

/** What is searched for, from frame to frame; undefined while the search is closed. */
const sought: Signal<string | undefined> = signal(undefined);
/** How far the person has gone on from the first place. */
const steps = signal(0);

interface FindInProps {
  readonly find: (sought: string) => readonly FoundPlace[];
  readonly children: ComponentChildren;
}

/** The search in a frame, and below it what is searched; `find` must be the same while that is. */
export function FindIn({ find, children }: FindInProps) {
  const text = sought.value;
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
    <Button class="find-button" data-testid="find" onClick={set(sought, "")}>
      Find <kbd>F</kbd>
    </Button>
  );
}

interface FindBarProps {
  readonly text: string;
  /** The index of the place that is gone to. */
  readonly at: number;
  readonly count: number;
}

function FindBar({ text, at, count }: FindBarProps) {
  const go = (by: number): void => {
    steps.value = at + by;
  };
  const close = (): void => {
    sought.value = undefined;
    document.getElementById("frame-view")?.focus();
  };
  return (
    <search class="bar find" aria-label="Find in the frame">
      <input
        type="search"
        aria-label="Find in the frame"
        placeholder="Find in the frame"
        value={text}
        maxLength={200}
        ref={focusOnce}
        data-testid="find-text"
        onInput={({ currentTarget }) => {
          sought.value = currentTarget.value;
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
        aria-label="Previous match"
        title="Shift Enter"
        disabled={count === 0}
        onClick={() => go(-1)}
      >
        ↑
      </Button>
      <Button aria-label="Next match" title="Enter" disabled={count === 0} onClick={() => go(1)}>
        ↓
      </Button>
      <Button onClick={close}>Close</Button>
    </search>
  );
}

/** When it is drawn first. */
function focusOnce(element: HTMLInputElement | null): void {
  element?.focus();
}

function describePlace(at: number, count: number): string {
  if (count === 0) return "no match";
  return `${at + 1} of ${count === MAX_FOUND ? `${count} or more` : count}`;
}

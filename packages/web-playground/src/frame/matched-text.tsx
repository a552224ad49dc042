import { occurrencesOf } from "@idewire/devtools/internal";
import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";
import { ForeignText } from "../ui/foreign-text.tsx";
import type { FoundPlace } from "./find-text.ts";

/** The text that is searched for in a frame. */
export interface Sought {
  readonly text: string;
  /** The current match; undefined if there is none. */
  readonly now: FoundPlace | undefined;
}

/** Undefined while there is no search. */
export const CurrentSearch = createContext<Sought | undefined>(undefined);

interface MatchedTextProps {
  readonly text: string;
  /** The part of the frame that the text belongs to. */
  readonly of?: Pick<FoundPlace, "path" | "part">;
  /** Its offset in the whole text, in UTF-16 units. */
  readonly from?: number;
}

const WHOLE = { path: "", part: "value" } as const;

/** A text from outside with the matches of the search highlighted. */
export function MatchedText({ text, of = WHOLE, from = 0 }: MatchedTextProps) {
  const searched = useContext(CurrentSearch);
  if (searched === undefined) return <ForeignText text={text} />;
  const { now } = searched;
  const isHere = now?.path === of.path && now.part === of.part;
  const parts: ComponentChildren[] = [];
  let rest = 0;
  for (const [start, end] of occurrencesOf(searched.text, text)) {
    if (start > rest) parts.push(<ForeignText text={text.slice(rest, start)} />);
    const isNow = isHere && now.at === from + start;
    parts.push(<Found key={start} text={text.slice(start, end)} isNow={isNow} />);
    rest = end;
  }
  return (
    <>
      {parts}
      <ForeignText text={text.slice(rest)} />
    </>
  );
}

function Found({ text, isNow }: { readonly text: string; readonly isNow: boolean }) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isNow) element.current?.scrollIntoView({ block: "center" });
  }, [isNow]);
  return (
    <mark ref={element} class={isNow ? "found now" : "found"}>
      <ForeignText text={text} />
    </mark>
  );
}

import { useEffect, useRef } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { ForeignText } from "./foreign-text.tsx";

interface TranscriptProps {
  readonly label?: string;
  /** How many of the newest lines are shown. */
  readonly limit: number;
  /** 0 if the transcript itself scrolls. */
  readonly tabIndex?: 0;
}

/** The output of the agent, and its connections; scrolled to the newest line. */
export function Transcript({ label, limit, tabIndex }: TranscriptProps) {
  const { transcript } = usePage().model.state.value;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [transcript.length]);
  return (
    <ol class="transcript" ref={list} tabIndex={tabIndex} aria-label={label}>
      {transcript.slice(-limit).map(({ n, text }) => (
        <li key={n}>
          <ForeignText text={text} />
        </li>
      ))}
    </ol>
  );
}

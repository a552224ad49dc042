import type { FrameFacts } from "@idewire/core/trace";
import { describeSize, describeTime } from "../words.ts";
import { ROW, type RowPlace } from "./frame-list.tsx";
import { useParts } from "./parts.ts";

/** One frame in the list. */
interface WireRowProps {
  readonly facts: FrameFacts;
  readonly place: RowPlace;
  readonly count: number;
}

export function WireRow({ facts, place: { index, selected, related }, count }: WireRowProps) {
  const { view } = useParts();
  const fromIde = facts.dir === "ide>agent";
  const marks = ["wire-row", fromIde ? "ide" : "agent", related && "related"];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    <div
      id={`frame-${facts.n}`}
      class={marks.filter(Boolean).join(" ")}
      style={{ top: `${index * ROW}px` }}
      role="option"
      aria-selected={selected}
      aria-posinset={index + 1}
      aria-setsize={count}
      data-kind={facts.kind}
      onClick={() => view.show(facts.n)}
    >
      <span class="num">{facts.n}</span>
      <span class="num">{describeTime(facts.t)}</span>
      <span class="from">{fromIde ? "IDE ▸" : "◂ Agent"}</span>
      <span class="what">
        {nameOf(facts)}
        {facts.tool !== undefined && <b> {facts.tool}</b>} <Badges facts={facts} />
      </span>
      <span class="num">
        {facts.durationMs === undefined ? "" : describeTime(facts.durationMs)}
      </span>
      <span class="num">{describeSize(facts.units)}</span>
    </div>
  );
}

export function nameOf({ kind, method }: FrameFacts): string {
  if (kind === "request" || kind === "notification") return method ?? "";
  if (kind === "result" || kind === "error") return `${kind} of ${method ?? "nothing"}`;
  return kind;
}

export function Badges({ facts }: { readonly facts: FrameFacts }) {
  const { session } = useParts();
  const { kind, pair, toolError, errorCode, fault, lost } = facts;
  const wrong = session.problems.value?.of(facts.n).length ?? 0;
  return (
    <>
      {kind === "request" && pair === undefined && <i class="badge wait">waiting</i>}
      {kind === "error" && <i class="badge bad">{errorCode ?? "error"}</i>}
      {toolError === true && <i class="badge bad">isError</i>}
      {kind === "malformed" && <i class="badge bad">not JSON-RPC</i>}
      {wrong > 0 && <i class="badge bad">{wrong === 1 ? "1 problem" : `${wrong} problems`}</i>}
      {fault !== undefined && <i class="badge fault">{lost === true ? "lost" : fault}</i>}
    </>
  );
}

import { countOf } from "@idewire/core/internal/base";
import { describeUnanswered, type FrameFacts, isOpenRequest } from "@idewire/devtools/internal";
import type { TraceEvent } from "@idewire/devtools/trace";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { describeNote, sideOf } from "../state/notes.ts";
import { usePage } from "../state/page-context.ts";
import {
  describeDuration,
  describeShortTime,
  describeSize,
  describeTime,
  describeTimeOfDay,
} from "../ui/figures.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { Lazy } from "../ui/lazy.tsx";
import { Cell } from "./cell.tsx";
import { DirectionCell, senderOf } from "./direction.tsx";
import { type RowPlace, rowHeight } from "./frame-list.tsx";
import { HttpCells } from "./http-cells.tsx";
import { RowInfo } from "./row-info.tsx";

const callMenu = () => import("../inspect/call-actions.tsx").then(({ CallMenu }) => CallMenu);

/** The width below which one pane is shown at a time, as in the style sheet. */
const isPhone = matchMedia("(width < 700px)");

interface OptionRowProps {
  readonly n: number;
  readonly class: string;
  readonly place: RowPlace;
  readonly count: number;
  /** Whether it is a row of a table. */
  readonly isRow?: boolean;
  /** Called when the pointer is on the row, or no longer. */
  readonly onpointed?: (isPointed: boolean) => void;
  readonly children: ComponentChildren;
}

/** One row of a list of events; the list has the focus and the keys. */
export function OptionRow(props: OptionRowProps) {
  const { n, class: marks, place, count, isRow = false, children } = props;
  const { view } = usePage();
  const { index, selected, related } = place;
  const { onpointed } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    // biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have them
    <div
      id={`frame-${n}`}
      class={`wire-row ${marks}${related ? " related" : ""}${selected ? " chosen" : ""}`}
      style={{ top: `${index * rowHeight(view)}px` }}
      role={isRow ? "row" : "option"}
      aria-selected={selected}
      {...(isRow
        ? { "aria-rowindex": index + 2 }
        : { "aria-posinset": index + 1, "aria-setsize": count })}
      onPointerEnter={() => onpointed?.(true)}
      onPointerLeave={() => onpointed?.(false)}
      onClick={() => {
        view.show(n);
        if (isPhone.matches) view.openFrame();
      }}
    >
      {children}
    </div>
  );
}

interface WireRowProps {
  readonly n: number;
  /** The event of the previous row. */
  readonly before: number | undefined;
  readonly place: RowPlace;
  readonly count: number;
}

/** One frame of the list, or an event between two. */
export function WireRow(props: WireRowProps) {
  const { n, before, place } = props;
  const { model } = usePage();
  const [isPointed, setPointed] = useState(false);
  const facts = model.index.of(n);
  const event = model.log.at(n);
  if (event === undefined) return null;
  const { startedMs } = model;
  const since = before === undefined ? undefined : model.log.at(before);
  const exchange = model.index.http.of(n);
  // A property: cells whose properties are the same are not rendered again.
  const hasChannel = model.index.channels.size > 1;
  return (
    <OptionRow {...props} isRow class={marksOf(event, facts)} onpointed={setPointed}>
      <Cell at={1} class="num">
        {model.index.numberOf(n)}
      </Cell>
      <Cell at={2} class="num" label={describeDuration(event.t)}>
        {describeTime(event.t)}
      </Cell>
      <Cell at={3} class="num since" {...(since && { label: describeDuration(event.t - since.t) })}>
        {since && `+${describeTime(event.t - since.t)}`}
      </Cell>
      <Cell at={4} class="num day">
        {startedMs !== undefined && describeTimeOfDay(startedMs + event.t)}
      </Cell>
      {facts !== undefined && (
        <FrameCells {...{ facts, hasChannel }} hasMenu={isPointed || place.selected} />
      )}
      {exchange !== undefined && <HttpCells {...{ exchange, hasChannel }} />}
      {facts === undefined && exchange === undefined && (
        <Cell at={7} class="what">
          <ForeignText text={describeNote(event)} />
        </Cell>
      )}
    </OptionRow>
  );
}

/** The classes of a row: its side and its kind. */
export function marksOf(event: TraceEvent | undefined, facts: FrameFacts | undefined): string {
  if (facts !== undefined) {
    const isAnswer = facts.kind === "result" || facts.kind === "error";
    const isRefused = facts.kind === "error" || facts.toolError === true;
    return `${senderOf(facts.dir)}${isAnswer ? " answer" : ""}${isRefused ? " refused" : ""}`;
  }
  if (event === undefined) return "";
  if (event.ev === "http") return "agent http";
  const isRefused = event.ev === "control" && event.op === "refused";
  return `note ${sideOf(event)}${isRefused ? " refused" : ""}`;
}

interface FrameCellsProps {
  readonly facts: FrameFacts;
  /** Whether the list names the connection of each frame. */
  readonly hasChannel: boolean;
  /** Whether its actions are offered: in a list of many rows, only where the person is. */
  readonly hasMenu: boolean;
}

function FrameCells({ facts, hasChannel, hasMenu }: FrameCellsProps) {
  const { model } = usePage();
  const ms = facts.durationMs;
  return (
    <>
      <Cell at={5}>
        <DirectionCell dir={facts.dir} ends={model.endsOf(facts.ch)} />
      </Cell>
      {hasChannel && (
        <Cell at={6} class="channel">
          <ForeignText text={facts.ch} />
        </Cell>
      )}
      <span class="named" role="none">
        <Cell at={7} class="what">
          <FrameName facts={facts} /> <Badges facts={facts} />
        </Cell>
        <Cell at={8} class="info">
          <RowInfo facts={facts} />
          {hasMenu && model.inspector?.isClient === true && (
            <Lazy load={callMenu} props={{ facts }} />
          )}
        </Cell>
      </span>
      <Cell at={9} class="num rest" {...(ms !== undefined && { label: describeDuration(ms) })}>
        {ms !== undefined && describeShortTime(ms)}
      </Cell>
      <Cell at={10} class="num rest size" label={`${describeSize(facts.units)} characters`}>
        {describeSize(facts.units)}
      </Cell>
    </>
  );
}

/** The method, or that of the answered request, and the tool. */
export function FrameName({ facts }: { readonly facts: FrameFacts }) {
  return (
    <>
      <span class="method">
        <ForeignText text={nameOf(facts)} />
      </span>
      {facts.tool !== undefined && (
        <b>
          {" "}
          <ForeignText text={facts.tool} />
        </b>
      )}
    </>
  );
}

export function nameOf({ kind, method }: FrameFacts): string {
  if (kind === "request" || kind === "notification") return method ?? "";
  if (kind === "result" || kind === "error")
    return method === undefined ? "Unsolicited reply" : `${kind} of ${method}`;
  return kind;
}

/** The reason of a failure is in the info of the row. */
function badgeOf(unanswered: NonNullable<FrameFacts["unanswered"]>): string {
  return unanswered.why === "failed"
    ? "failed"
    : describeUnanswered(unanswered).replace(/^was /, "");
}

export function Badges({ facts }: { readonly facts: FrameFacts }) {
  const { model } = usePage();
  const { kind, unanswered, toolError, errorCode, fault, lost, form, marked } = facts;
  const wrong = model.problems.value?.of(facts.n).length ?? 0;
  return (
    <>
      {marked === true && <i class="badge mark">marked</i>}
      {isOpenRequest(facts) && <i class="badge wait">waiting</i>}
      {unanswered !== undefined && <i class="badge bad">{badgeOf(unanswered)}</i>}
      {kind === "error" && <i class="badge bad">{errorCode ?? "error"}</i>}
      {toolError === true && <i class="badge bad">isError</i>}
      {kind === "malformed" && (
        <i class="badge bad">{form === "cut" ? "cut" : (form ?? "not JSON-RPC")}</i>
      )}
      {wrong > 0 && <i class="badge bad">{countOf(wrong, "problem")}</i>}
      {fault !== undefined && (
        <i class="badge fault">{lost && !fault.startsWith("held") ? "lost" : fault}</i>
      )}
    </>
  );
}

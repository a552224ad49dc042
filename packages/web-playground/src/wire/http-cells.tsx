import { showHiddenInLine } from "@idewire/core/internal";
import { countOf } from "@idewire/core/internal/base";
import { explainHttp, type HttpExchange } from "@idewire/devtools/internal";
import { describeDuration, describeShortTime, describeSize } from "../ui/figures.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { Cell } from "./cell.tsx";

interface HttpCellsProps {
  readonly exchange: HttpExchange;
  /** Whether the list names the connection of each exchange. */
  readonly hasChannel: boolean;
}

/** An HTTP exchange in the list: its purpose, its target, and how it ended. */
export function HttpCells({ exchange, hasChannel }: HttpCellsProps) {
  const { request, durationMs, bytes } = exchange;
  const { title } = explainHttp(exchange);
  return (
    <>
      <Cell at={5} class="from" label={`HTTP ${showHiddenInLine(request.method ?? "")}`}>
        <span class="end">
          HTTP <ForeignText text={request.method ?? ""} />
        </span>
        <span class="both-ways">↔</span>
      </Cell>
      {hasChannel && (
        <Cell at={6} class="channel">
          <ForeignText text={request.ch} />
        </Cell>
      )}
      <span class="named" role="none">
        <Cell at={7} class="what">
          <span class="method">
            <ForeignText text={title} />
          </span>{" "}
          <StatusBadge exchange={exchange} />
        </Cell>
        <Cell at={8} class="info">
          <ForeignText text={placeOf(request.url ?? "")} />
        </Cell>
      </span>
      <Cell
        at={9}
        class="num rest"
        {...(durationMs !== undefined && { label: describeDuration(durationMs) })}
      >
        {durationMs !== undefined && describeShortTime(durationMs)}
      </Cell>
      <Cell at={10} class="num rest size" {...(bytes !== undefined && { label: `${bytes} bytes` })}>
        {bytes !== undefined && bytes > 0 && describeSize(bytes)}
      </Cell>
    </>
  );
}

/** The status of the response; why there is none. */
export function StatusBadge({ exchange }: { readonly exchange: HttpExchange }) {
  const { request, status, problem, streamed, durationMs } = exchange;
  if (problem !== undefined) return <i class="badge bad">{status ?? "failed"}</i>;
  if (status === undefined) {
    return <i class="badge wait">{request.browser ? "waiting for you" : "waiting"}</i>;
  }
  const kind = status >= 500 ? "bad" : status >= 400 ? "wait" : "good";
  const isOpen = streamed > 0 && durationMs === undefined;
  return (
    <i class={`badge ${kind}`}>
      {status}
      {isOpen && ` · ${countOf(streamed, "event")}`}
    </i>
  );
}

/** The path; the detail has the whole address. */
function placeOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/, 1)[0] ?? "";
}

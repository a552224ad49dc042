import { isObject } from "@idewire/core/internal";
import { explainFrame, type FrameFacts, unansweredReasons } from "@idewire/devtools/internal";
import { exactJson } from "../state/exact-json.ts";
import { usePage } from "../state/page-context.ts";
import { rawOf } from "../state/raw-of.ts";
import { Button } from "../ui/controls.tsx";
import { describeDuration } from "../ui/figures.ts";

/** The rest of a longer answer is shown with its frame. */
const SHOWN_UNITS = 4_000;

/** The answer to a request of this page, if there is one yet. */
export function AskAnswer({ id }: { readonly id: string }) {
  const { model, view } = usePage();
  void model.version.value;
  const request = findRequest(model.index.frames, id);
  if (request === undefined) return null;
  const answer = request.pair === undefined ? undefined : model.index.of(request.pair);
  if (answer === undefined) {
    const what = request.tool ?? request.method;
    const { unanswered } = request;
    return (
      <p class="hint" role="status" data-testid="answer" data-status="waiting">
        {unanswered === undefined
          ? `${what} is waiting for its reply…`
          : `${what} was never answered: ${unansweredReasons[unanswered.why]}.`}
      </p>
    );
  }
  const raw = rawOf(model, answer.n);
  const isBad = answer.kind === "error" || answer.toolError === true;
  return (
    <div class="ask-answer" role="status" data-testid="answer" data-status={isBad ? "error" : "ok"}>
      <p class={isBad ? "issue" : undefined}>{explainFrame(answer, raw).sentence}</p>
      <pre class="upgrade">{textOf(raw).slice(0, SHOWN_UNITS)}</pre>
      <Button
        title={`Frame ${answer.number}, after ${describeDuration(answer.durationMs ?? 0)}`}
        class="link"
        run={() => view.show(answer.n)}
      />
    </div>
  );
}

/** Newest first: the list may be long. */
function findRequest(frames: readonly FrameFacts[], id: string): FrameFacts | undefined {
  return frames.findLast((one) => one.id === id && one.kind === "request");
}

/** The texts of a tool's result, or the whole result. */
function textOf(raw: string): string {
  const { result, error } = exactJson.parse(raw) as { readonly result?: unknown; error?: unknown };
  const content = isObject(result) ? result["content"] : undefined;
  if (!Array.isArray(content)) return exactJson.stringify(result ?? error, 2);
  return content
    .map((item: unknown) => {
      const text = isObject(item) ? item["text"] : undefined;
      return typeof text === "string" ? text : exactJson.stringify(item, 2);
    })
    .join("\n");
}

import { describeUnanswered, explainFrame, type FrameFacts } from "@idewire/devtools/internal";
import { usePage } from "../state/page-context.ts";
import { rawOf } from "../state/raw-of.ts";
import { Button } from "../ui/controls.tsx";
import { copyText } from "../ui/copy.ts";
import { describeDuration } from "../ui/figures.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { AnswerContent } from "./answer-content.tsx";
import { describeProgress, findAnswer, findProgress } from "./answers.ts";
import { commandOf } from "./command-of.ts";
import { inspectorOf, type PageRequest } from "./inspector.ts";
import { OutputCheck } from "./output-check.tsx";

interface AskAnswerProps {
  readonly pageRequest: PageRequest;
  /** The schema of the structured result, if the tool has one. */
  readonly output?: unknown;
}

/** The answer to a request of this page, if there is one yet. */
export function AskAnswer({ pageRequest, output }: AskAnswerProps) {
  const { model } = usePage();
  void model.version.value;
  const { answer, request } = findAnswer(model, pageRequest);
  if (answer !== undefined)
    return <Answer pageRequest={pageRequest} answer={answer} output={output} />;
  const failure = pageRequest.failure.value;
  const { method } = pageRequest;
  const what = method === "tools/call" ? String(pageRequest.params?.["name"]) : method;
  const { unanswered } = request ?? {};
  const words =
    failure ??
    (unanswered === undefined
      ? `${what} is waiting for its reply…`
      : `${what} ${describeUnanswered(unanswered)}.`);
  const isRunning = failure === undefined && unanswered === undefined;
  return (
    <div
      class="ask-answer"
      role="status"
      data-testid="answer"
      data-status={isRunning ? "waiting" : "error"}
    >
      <p class={isRunning ? "hint" : "issue"}>
        <ForeignText text={words} />
      </p>
      <Running pageRequest={pageRequest} isRunning={isRunning} />
    </div>
  );
}

/** The progress of a request to an MCP server, which can be cancelled. */
function Running({
  pageRequest,
  isRunning,
}: {
  readonly pageRequest: PageRequest;
  readonly isRunning: boolean;
}) {
  const { model } = usePage();
  void model.version.value;
  const inspector = inspectorOf(model);
  if (inspector === undefined || pageRequest.server === undefined || !isRunning) return null;
  const progress = findProgress(model, pageRequest);
  return (
    <div class="ask-line">
      {progress !== undefined && (
        <>
          {progress.total !== undefined && (
            <progress aria-label="Progress" value={progress.progress} max={progress.total} />
          )}
          <span class="hint num" data-testid="progress">
            <ForeignText text={describeProgress(progress)} />
          </span>
        </>
      )}
      <Button
        title="Cancel"
        data-testid="cancel"
        needsConnection
        run={() => inspector.cancel(pageRequest)}
      />
    </div>
  );
}

interface AnswerProps extends AskAnswerProps {
  readonly answer: FrameFacts;
}

function Answer({ pageRequest, answer, output }: AnswerProps) {
  const { model, view } = usePage();
  const raw = rawOf(model, answer.n);
  const isBad = answer.kind === "error" || answer.toolError === true;
  const inspector = inspectorOf(model);
  const command = inspector && commandOf(inspector, pageRequest);
  // Its text is the content below.
  const sentence =
    answer.toolError === true
      ? `The tool ${answer.tool} failed. The model reads:`
      : explainFrame(answer, raw, model.ends).sentence;
  return (
    <div class="ask-answer" role="status" data-testid="answer" data-status={isBad ? "error" : "ok"}>
      <p class={isBad ? "issue" : undefined}>{sentence}</p>
      {output !== undefined && !isBad && <OutputCheck schema={output} raw={raw} />}
      <AnswerContent raw={raw} />
      <div class="ask-line">
        <Button
          title={`Frame ${answer.number}, after ${describeDuration(answer.durationMs ?? 0)}`}
          kind="link"
          run={() => view.show(answer.n)}
        />
        {command !== undefined && <CopyCommand command={command} />}
      </div>
    </div>
  );
}

function CopyCommand({ command }: { readonly command: string }) {
  return (
    <Button
      title="Copy as idewire mcp"
      kind="link"
      tooltip={command}
      data-command={command}
      data-testid="copy-command"
      run={() => copyText(command)}
    />
  );
}

import { isObject } from "@idewire/core/internal";
import type { ServerQuestion } from "@idewire/devtools/internal";
import { useState } from "preact/hooks";
import { exactJson } from "../state/exact-json.ts";
import { Button } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { LongText } from "../ui/long-text.tsx";
import { FieldList } from "./field-list.tsx";
import type { ServerViewProps } from "./server-view.tsx";
import { SubmitButton } from "./submit-button.tsx";
import { startOf, toArguments, toFields } from "./tool-fields.ts";

type Result = Readonly<Record<string, unknown>>;

interface QuestionProps {
  readonly question: ServerQuestion;
  /** Answers it; without a result it is declined. */
  readonly onanswer: (result?: Result) => void;
}

/** The questions of a server to the person, oldest first. */
export function QuestionList({ inspector, server }: ServerViewProps) {
  return (
    <div class="questions">
      {server.questions.map((question) => (
        <Question key={question.id} {...{ inspector, server, question }} />
      ))}
    </div>
  );
}

function Question({
  inspector,
  server,
  question,
}: ServerViewProps & { readonly question: ServerQuestion }) {
  const [refusal, setRefusal] = useState<string | undefined>();
  const View = viewOf(question);
  const answer = async (result?: Result): Promise<void> => {
    const given = result === undefined ? {} : { result };
    setRefusal(await inspector.answer({ server: server.name, question: question.id, ...given }));
  };
  return (
    <section class="question ask" data-testid="question" aria-label="A question of the server">
      <View question={question} onanswer={(result) => void answer(result)} />
      {refusal !== undefined && (
        <p class="issue" role="alert">
          <ForeignText text={refusal} />
        </p>
      )}
    </section>
  );
}

function viewOf({ method, params }: ServerQuestion) {
  if (method === "sampling/createMessage") return SamplingQuestion;
  return params["mode"] === "url" ? UrlQuestion : FormQuestion;
}

function FormQuestion({ question: { id, params }, onanswer }: QuestionProps) {
  const fields = toFields(params["requestedSchema"]);
  const [filled, setFilled] = useState(() => startOf(fields));
  const [issue, setIssue] = useState<string | undefined>();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const content = toArguments(fields, filled);
        setIssue(typeof content === "string" ? content : undefined);
        if (typeof content !== "string") onanswer({ action: "accept", content });
      }}
    >
      <h3>The server asks</h3>
      <p>
        <LongText text={String(params["message"])} />
      </p>
      <FieldList fields={fields} filled={filled} onfilled={setFilled} prefix={`question-${id}`} />
      {issue !== undefined && (
        <p class="issue" role="alert">
          <ForeignText text={issue} />
        </p>
      )}
      <div class="ask-line">
        <SubmitButton testid="accept">Send</SubmitButton>
        <Button title="Decline" needsConnection run={() => onanswer()} />
        <Button title="Dismiss" needsConnection run={() => onanswer({ action: "cancel" })} />
      </div>
    </form>
  );
}

function UrlQuestion({ question: { params }, onanswer }: QuestionProps) {
  const url = String(params["url"]);
  return (
    <>
      <h3>The server asks you to visit an address</h3>
      <p>
        <LongText text={String(params["message"])} />
      </p>
      <p>
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          onClick={() => onanswer({ action: "accept" })}
        >
          <ForeignText text={url} />
        </a>
      </p>
      <div class="ask-line">
        <Button title="Decline" needsConnection run={() => onanswer()} />
        <Button title="Dismiss" needsConnection run={() => onanswer({ action: "cancel" })} />
      </div>
    </>
  );
}

/** The person answers in place of a model. */
function SamplingQuestion({ question: { params }, onanswer }: QuestionProps) {
  const [text, setText] = useState("");
  const { messages, systemPrompt } = params;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onanswer({
          role: "assistant",
          content: { type: "text", text },
          model: "a person",
          stopReason: "endTurn",
        });
      }}
    >
      <h3>The server asks the model; you answer in its place</h3>
      {typeof systemPrompt === "string" && (
        <p class="hint">
          <ForeignText text={systemPrompt} />
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre class="upgrade" tabIndex={0}>
        <ForeignText text={(Array.isArray(messages) ? messages : []).map(toLine).join("\n")} />
      </pre>
      <label class="field">
        <span>The answer</span>
        <textarea
          class="raw"
          rows={3}
          value={text}
          data-testid="sampled"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <div class="ask-line">
        <SubmitButton testid="accept">Send</SubmitButton>
        <Button title="Decline" needsConnection run={() => onanswer()} />
      </div>
    </form>
  );
}

function toLine(message: unknown): string {
  const { role, content } = isObject(message) ? message : {};
  const text = isObject(content) ? content["text"] : undefined;
  return `${String(role)}: ${typeof text === "string" ? text : exactJson.stringify(content)}`;
}

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { LongText } from "../ui/long-text.tsx";
import { resultOf } from "./answers.ts";
import type { Inspector, PageRequest } from "./inspector.ts";
import { SubmitButton } from "./submit-button.tsx";
import { enteredFor } from "./tool-fields.ts";

/** A named text, such as an argument of a prompt or a variable of a URI template. */
export interface NamedText {
  readonly name: string;
  readonly about: string;
  readonly isRequired: boolean;
}

interface ArgumentFormProps {
  readonly inspector: Inspector;
  readonly server: string;
  /** The reference of a completion (MCP 2025-11-25, Utilities / Completion). */
  readonly reference: Readonly<Record<string, string>>;
  readonly fields: readonly NamedText[];
  /** The name of the button. */
  readonly action: string;
  readonly onsend: (texts: Readonly<Record<string, string>>) => void;
  /** Drawn after the button. */
  readonly children?: ComponentChildren;
}

/** Texts that the server completes as they are typed. */
export function ArgumentForm(props: ArgumentFormProps) {
  const { inspector, server, reference, fields, action, onsend, children } = props;
  const { model } = usePage();
  void model.version.value;
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [pageRequest, setPageRequest] = useState<PageRequest | undefined>();
  const [at, setAt] = useState<string | undefined>();
  const completes = inspector.server?.info?.capabilities["completions"] !== undefined;
  const complete = (name: string, value: string): void => {
    const known = { ...texts, [name]: value };
    setTexts(known);
    if (!completes) return;
    setAt(name);
    const { [name]: _, ...others } = known;
    const argument = { name, value };
    const context = { arguments: others };
    setPageRequest(
      inspector.ask("completion/complete", { ref: reference, argument, context }, server),
    );
  };
  const values = pageRequest === undefined ? [] : valuesOf(resultOf(model, pageRequest));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onsend(Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== "")));
      }}
    >
      {fields.map(({ name, about, isRequired }) => (
        <div class="field" key={name}>
          <label for={`text-${name}`}>
            <b>
              <ForeignText text={name} />
            </b>
            {isRequired && " (required)"}
          </label>{" "}
          {about !== "" && (
            <small class="hint">
              <LongText text={about} />
            </small>
          )}
          <input
            id={`text-${name}`}
            list={`values-${name}`}
            autocomplete="off"
            value={enteredFor(texts, name) ?? ""}
            onInput={({ currentTarget }) => complete(name, currentTarget.value)}
          />
          <datalist id={`values-${name}`}>
            {at === name && values.map((value) => <option key={value} value={value} />)}
          </datalist>
        </div>
      ))}
      <div class="ask-line">
        <SubmitButton testid="send">{action}</SubmitButton>
        {children}
      </div>
    </form>
  );
}

function valuesOf(result: unknown): readonly string[] {
  const { completion } = (result ?? {}) as { readonly completion?: { readonly values?: unknown } };
  const values = completion?.values;
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}

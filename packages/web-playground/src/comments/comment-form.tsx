import type { PageCommentTag } from "@idewire/devtools/internal";
import { useState } from "preact/hooks";
import { printKey } from "../commands/keys.ts";
import { Button, Select } from "../ui/controls.tsx";
import type { Written } from "./form-draft.ts";
import { tagNames } from "./texts.ts";

interface CommentFormProps {
  readonly label: string;
  /** The label of the button. */
  readonly submit: string;
  /** The typed text; without a tag, none can be selected. */
  readonly written: Written;
  readonly onclose: () => void;
  readonly onsubmit: (text: string, tag: PageCommentTag | undefined) => Promise<void>;
}

const longest = 10_000;
const tags = Object.entries(tagNames) as readonly (readonly [PageCommentTag, string])[];

/** A form for a text and its tag. */
export function CommentForm(props: CommentFormProps) {
  const { label, submit, written, onclose, onsubmit } = props;
  const [text, setText] = useState(written.text);
  const [tag, setTag] = useState(written.tag);
  const isEmpty = text.trim() === "";
  const send = (): void => {
    if (!isEmpty) void onsubmit(text.trim(), tag);
  };
  return (
    <div class="comment-form">
      <label>
        {label}
        <textarea
          rows={2}
          maxLength={longest}
          value={text}
          data-testid="comment-text"
          onInput={({ currentTarget }) => {
            written.text = currentTarget.value;
            setText(written.text);
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
            else if (event.key === "Escape") onclose();
            else return;
            event.preventDefault();
          }}
        />
      </label>
      <div class="comment-acts">
        {tag !== undefined && (
          <Select
            label="Tag"
            labelClass="visually-hidden"
            value={tag}
            options={tags}
            onselect={(chosen) => {
              written.tag = chosen;
              setTag(chosen);
            }}
            testid="comment-tag"
          />
        )}
        <Button
          title={submit}
          kind="primary"
          when={() => !isEmpty}
          run={send}
          tooltip={printKey("Ctrl+Enter")}
          data-testid="comment-submit"
        />
        <Button title="Cancel" run={onclose} />
      </div>
    </div>
  );
}

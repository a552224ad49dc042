import type { PageCommentTag } from "@idewire/devtools/page-protocol";
import { useState } from "preact/hooks";
import { Button, Select } from "../ui/controls.tsx";
import { tagNames } from "./words.ts";

interface CommentFormProps {
  readonly label: string;
  /** On the button. */
  readonly submit: string;
  readonly text?: string;
  /** What it is about; without one no tag can be chosen. */
  readonly tag?: PageCommentTag;
  readonly onclose: () => void;
  readonly onsubmit: (text: string, tag: PageCommentTag | undefined) => Promise<void>;
}

const longest = 10_000;
const tags = Object.entries(tagNames) as readonly (readonly [PageCommentTag, string])[];

/** A text to write, and its tag. */
export function CommentForm(props: CommentFormProps) {
  const { label, submit, onclose, onsubmit } = props;
  const [text, setText] = useState(props.text ?? "");
  const [tag, setTag] = useState(props.tag);
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
          onInput={({ currentTarget }) => setText(currentTarget.value)}
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
            label={<span class="visually-hidden">Tag</span>}
            value={tag}
            options={tags}
            onselect={setTag}
            testid="comment-tag"
          />
        )}
        <Button
          class="primary"
          disabled={isEmpty}
          onClick={send}
          title="Ctrl Enter"
          data-testid="comment-submit"
        >
          {submit}
        </Button>
        <Button onClick={onclose}>Cancel</Button>
      </div>
    </div>
  );
}

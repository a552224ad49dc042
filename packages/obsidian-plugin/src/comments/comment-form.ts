import { type CommentTag, commentTags, isCommentTag } from "@idewire/paired-comments/internal";
import { DropdownComponent } from "obsidian";
import { addButton } from "../review/view/controls.ts";
import { texts } from "../texts/index.ts";

export interface CommentFormOptions {
  /** The label of the form, for screen readers: `Comment on line 3`. */
  readonly label: string;
  /** Undefined for a reply, which has no tag. */
  readonly tag?: CommentTag;
  readonly text?: string;
  /** Rejects if it could not be saved; the form then stays open. */
  readonly save: (text: string, tag: CommentTag) => Promise<void>;
  readonly cancel: () => void;
}

const mostCharacters = 10_000;

/** A form for a comment or a reply; saved by Ctrl+Enter or Cmd+Enter, closed by Escape. */
export function createCommentForm(parent: HTMLElement, options: CommentFormOptions): HTMLElement {
  const { label, text = "", save, cancel } = options;
  let tag: CommentTag = options.tag ?? "NOTE";
  const form = parent.createEl("form", {
    cls: "idewire-comment-form",
    attr: { "aria-label": label },
  });
  form.createDiv({ cls: "idewire-comment-form-label", text: label });
  const area = form.createEl("textarea", {
    text,
    attr: { rows: 3, maxlength: mostCharacters, "aria-label": texts.comments.text },
  });
  const row = form.createDiv({ cls: "idewire-comment-form-row" });
  if (options.tag !== undefined) {
    const choice = new DropdownComponent(row)
      .addOptions(Object.fromEntries(commentTags.map((each) => [each, each])))
      .setValue(tag)
      .onChange((value) => {
        if (isCommentTag(value)) tag = value;
      });
    choice.selectEl.ariaLabel = texts.comments.tag;
  }
  const submit = async () => {
    if (area.value.trim() === "" || saveButton.disabled) return;
    saveButton.disabled = true;
    await save(area.value.trim(), tag).catch(() => area.focus());
    saveButton.disabled = false;
  };
  const saveButton = addButton(row, {
    text: texts.comments.save,
    cls: "mod-cta",
    onclick: () => void submit(),
  });
  addButton(row, { text: texts.comments.cancel, onclick: cancel });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("keydown", (event) => {
    const isSave = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!isSave && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (isSave) void submit();
    else cancel();
  });
  return form;
}

/** Updates the label of a form. */
export function setFormLabel(form: HTMLElement, label: string): void {
  form.ariaLabel = label;
  form.querySelector(".idewire-comment-form-label")?.setText(label);
}

import type { ListedComment } from "@idewire/paired-comments/internal";
import { addButton, addIconButton } from "../review/view/controls.ts";
import { texts } from "../texts/index.ts";
import { formatDayAndTime } from "../texts/time.ts";

/** The actions on a comment in the list. */
export type CommentAction = "edit" | "reply" | "resolve" | "reopen" | "delete";

export interface CommentItemOptions {
  /** Path of its note, if the list has comments of several notes. */
  readonly note?: string;
  readonly reveal: () => void;
  readonly act: (action: CommentAction) => void;
  readonly move: (filePath: string | undefined, line: number) => void;
  /** Searches for the text of an orphan in other notes. */
  readonly lookElsewhere: () => void;
}

/** Longer quotes would not help to recognise a line. */
const QUOTE_LENGTH = 80;

/** Adds a comment to a list. Its buttons have a `data-control`, to find the focused one again. */
export function addCommentItem(
  list: HTMLElement,
  located: ListedComment,
  options: CommentItemOptions,
): HTMLElement {
  const { comment, place } = located;
  const { reveal } = options;
  const item = list.createEl("li", { cls: "idewire-comment", attr: { "data-id": comment.id } });
  if (comment.status !== undefined && comment.status !== "open") item.addClass("is-done");
  if (place.status === "orphaned") item.addClass("is-orphaned");
  const head = item.createDiv({ cls: "idewire-comment-head" });
  head.createSpan({ cls: `idewire-comment-tag mod-${comment.tag}`, text: comment.tag });
  const where = addButton(head, {
    text: placeText(located, options),
    cls: "idewire-comment-place",
    onclick: reveal,
  });
  where.dataset["control"] = `${comment.id} place`;
  addActions(head, located, options);
  item.createDiv({ cls: "idewire-comment-text", text: comment.text });
  const words = statusWords(located);
  const date = formatDayAndTime(Date.parse(comment.created) || 0);
  if (words.length > 0) {
    item.createDiv({ cls: "idewire-comment-status", text: words.join(" · ") });
  }
  item.createDiv({ cls: "idewire-comment-meta", text: `${comment.author} · ${date}` });
  addReplies(item, located);
  if (place.status === "orphaned" || place.status === "ambiguous") {
    addCandidates(item, located, options);
  }
  item.addEventListener("click", (event) => {
    const isControl = event.target instanceof Element && event.target.closest("button, form");
    if (!isControl) reveal();
  });
  return item;
}

function placeText({ place, anchor }: ListedComment, { note }: CommentItemOptions): string {
  const { line, endLine } = place;
  const lines =
    endLine === undefined || endLine === line
      ? texts.comments.line(line)
      : texts.comments.lines({ line, endLine });
  const heading = anchor?.name.replace(/^#+ /, "");
  return [note, lines, heading].filter((part) => part !== undefined).join(" · ");
}

/** Describes the place and the state of a comment. */
function statusWords({ comment, kept, place }: ListedComment): readonly string[] {
  const words: string[] = [];
  if (comment.status === "resolved" || comment.status === "wontfix") {
    words.push(texts.comments.state[comment.status]);
  }
  if (place.status === "moved") words.push(texts.comments.status.moved(kept.line));
  else if (place.status !== "exact") words.push(texts.comments.status[place.status]);
  return words;
}

function addActions(
  head: HTMLElement,
  { comment }: ListedComment,
  { act }: CommentItemOptions,
): void {
  const actions = head.createDiv({ cls: "idewire-comment-actions" });
  const isOpen = (comment.status ?? "open") === "open";
  const all: readonly (readonly [CommentAction, string])[] = [
    ["edit", "pencil"],
    ["reply", "reply"],
    isOpen ? ["resolve", "check"] : ["reopen", "rotate-ccw"],
    ["delete", "trash-2"],
  ];
  const text = comment.text.slice(0, QUOTE_LENGTH);
  for (const [action, icon] of all) {
    const button = addIconButton(actions, {
      icon,
      label: texts.comments.actionOn({ action: texts.comments[action], comment: text }),
      onclick: () => act(action),
    });
    const isState = action === "resolve" || action === "reopen";
    button.dataset["control"] = `${comment.id} ${isState ? "state" : action}`;
  }
}

function addReplies(item: HTMLElement, { comment }: ListedComment): void {
  const { replies = [] } = comment;
  if (replies.length === 0) return;
  const list = item.createEl("ul", { cls: "idewire-comment-replies" });
  for (const { text, author, created } of replies) {
    const reply = list.createEl("li");
    reply.createDiv({ cls: "idewire-comment-text", text });
    const date = formatDayAndTime(Date.parse(created) || 0);
    reply.createDiv({ cls: "idewire-comment-meta", text: `${author} · ${date}` });
  }
}

function addCandidates(
  item: HTMLElement,
  { comment, kept, place }: ListedComment,
  { move, lookElsewhere }: CommentItemOptions,
): void {
  const box = item.createDiv({ cls: "idewire-comment-candidates" });
  const { quote } = kept;
  if (quote !== "") {
    const text = quote.slice(0, QUOTE_LENGTH);
    box.createDiv({ cls: "idewire-comment-meta", text: texts.comments.quote(text) });
  }
  for (const { filePath, line, text } of place.candidates) {
    const shown = text.slice(0, QUOTE_LENGTH);
    const note = filePath?.replace(/\.md$/, "");
    const label =
      note === undefined
        ? texts.comments.candidate({ line, quote: shown })
        : texts.comments.candidateIn({ line, note, quote: shown });
    addButton(box, { text: label, onclick: () => move(filePath, line) });
  }
  if (place.status !== "orphaned") return;
  const elsewhere = addButton(box, { text: texts.comments.elsewhere, onclick: lookElsewhere });
  elsewhere.dataset["control"] = `${comment.id} elsewhere`;
}

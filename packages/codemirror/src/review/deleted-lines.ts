import { highlightingFor, language } from "@codemirror/language";
import { type EditorState, type Extension, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { highlightTree } from "@lezer/highlight";
import type { HunkDecision } from "../decide.ts";
import { drawConflict } from "./conflict-mark.ts";
import { type HunkText, pendingHunks } from "./hunks.ts";
import { isInline } from "./inline.ts";
import { type HunkPlace, placeOf } from "./place.ts";

/** Creates the controls of a hunk; `onpress` receives the pressed one. */
export type RenderControls = (
  place: HunkPlace,
  onpress: (decision: HunkDecision, control: HTMLElement) => void,
) => readonly HTMLElement[];

export interface DeletedLinesOptions {
  /** Whether hunks that can be read in one line have no deleted lines. */
  readonly inline: boolean;
  /** Without it hunks have no controls. */
  readonly renderControls: RenderControls | undefined;
  /** A control was pressed; `at` is an offset of its hunk in the result. */
  readonly ondecide: (decision: HunkDecision, at: number, view: EditorView) => void;
}

/** In UTF-16 units: longer texts are not coloured as code. */
const MAX_COLOURED = 3_000;

/** More deleted lines than this are drawn on request. */
const MAX_LINES = 500;

/** Shows the deleted lines of each hunk above the new ones, with its controls. */
export function showDeletedLines(options: DeletedLinesOptions): Extension {
  return StateField.define<DecorationSet>({
    create: (state) => draw(state, options),
    update: (drawn, { state, startState }) =>
      pendingHunks(state) === pendingHunks(startState) ? drawn : draw(state, options),
    provide: (field) => EditorView.decorations.from(field),
  });
}

function draw(state: EditorState, options: DeletedLinesOptions): DecorationSet {
  const hunks = pendingHunks(state);
  const widgets = hunks.map((hunk, index) => {
    const place = placeOf(state, hunk, { index, count: hunks.length });
    const widget = new DeletedLines(hunk.text, place, options);
    return Decoration.widget({ block: true, side: -1, widget }).range(hunk.fromB);
  });
  return Decoration.set(widgets);
}

/** The deleted lines of a hunk, and its controls. */
export class DeletedLines extends WidgetType {
  readonly #text: HunkText;
  readonly #place: HunkPlace;
  readonly #options: DeletedLinesOptions;

  constructor(text: HunkText, place: HunkPlace, options: DeletedLinesOptions) {
    super();
    this.#text = text;
    this.#place = place;
    this.#options = options;
  }

  override eq(other: DeletedLines): boolean {
    return this.#text === other.#text && this.#placeKey === other.#placeKey;
  }

  override toDOM(view: EditorView): HTMLElement {
    const dom = document.createElement("div");
    dom.className = "cm-deletedChunk";
    this.#renderControls(dom);
    if (this.#place.isConflict) dom.append(drawConflict("div"));
    if (this.#text.a !== "" && !(this.#options.inline && isInline(this.#text))) {
      drawLines(dom, this.#text, view.state, MAX_LINES);
    }
    return dom;
  }

  override updateDOM(dom: HTMLElement, view: EditorView, from?: WidgetType): boolean {
    if (!(from instanceof DeletedLines) || from.#text !== this.#text) return false;
    dom.querySelector(".cm-chunkButtons")?.remove();
    this.#renderControls(dom);
    view.requestMeasure();
    return true;
  }

  override ignoreEvent(): boolean {
    return true;
  }

  get #placeKey(): string {
    return Object.values(this.#place).join();
  }

  #renderControls(dom: HTMLElement): void {
    const { renderControls, ondecide } = this.#options;
    if (renderControls === undefined) return;
    const buttons = document.createElement("div");
    buttons.className = "cm-chunkButtons";
    const controls = renderControls(this.#place, (decision) => {
      const view = EditorView.findFromDOM(dom);
      if (view !== null) ondecide(decision, view.posAtDOM(dom), view);
    });
    buttons.append(...controls);
    dom.prepend(buttons);
  }
}

/** The deleted words and the colours of code are drawn in spans, cut where either starts or ends. */
function drawLines(dom: HTMLElement, text: HunkText, state: EditorState, maxLines: number): void {
  const cuts = lineEnds(text.a, maxLines);
  const shown = text.a.slice(0, cuts);
  const colours = coloursOf(shown, state);
  let start = 0;
  for (const line of shown.replace(/\n$/, "").split("\n")) {
    dom.append(drawLine(line, start, text, colours));
    start += line.length + 1;
  }
  const rest = text.a.slice(cuts).split("\n").length - (text.a.endsWith("\n") ? 1 : 0);
  if (cuts === text.a.length || rest <= 0) return;
  const more = document.createElement("button");
  more.type = "button";
  more.className = "cm-moreDeletedLines";
  more.textContent = state.phrase("Show $ more deleted lines", rest);
  more.addEventListener("click", () => {
    for (const drawn of dom.querySelectorAll(".cm-deletedLine, .cm-moreDeletedLines")) {
      drawn.remove();
    }
    drawLines(dom, text, state, Number.POSITIVE_INFINITY);
    EditorView.findFromDOM(dom)?.requestMeasure();
  });
  dom.append(more);
}

/** Where the line after `maxLines` starts. */
function lineEnds(text: string, maxLines: number): number {
  let at = 0;
  for (let line = 0; line < maxLines; line += 1) {
    const end = text.indexOf("\n", at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

/** A class for each part of a text, as offsets. */
interface Coloured {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

function coloursOf(text: string, state: EditorState): readonly Coloured[] {
  const grammar = state.facet(language);
  if (grammar === null || text.length > MAX_COLOURED) return [];
  const found: Coloured[] = [];
  const style = (tags: Parameters<typeof highlightingFor>[1]) => highlightingFor(state, tags);
  highlightTree(grammar.parser.parse(text), { style }, (from, to, name) => {
    found.push({ from, to, name });
  });
  return found;
}

function drawLine(
  line: string,
  start: number,
  text: HunkText,
  colours: readonly Coloured[],
): HTMLElement {
  const dom = document.createElement("div");
  dom.className = "cm-deletedLine";
  dom.dir = "auto";
  const content = dom.appendChild(document.createElement("del"));
  const end = start + line.length;
  const words = text.marked.map(({ fromA, toA }) => ({
    ...{ from: fromA, to: toA, name: "cm-deletedText" },
  }));
  const spans = [...colours, ...words].filter(({ from, to }) => from < end && to > start);
  const bounds = new Set([start, end]);
  for (const { from, to } of spans) {
    bounds.add(Math.max(from, start)).add(Math.min(to, end));
  }
  const cuts = [...bounds].sort((one, other) => one - other);
  for (const [index, from] of cuts.slice(0, -1).entries()) {
    const to = cuts[index + 1] ?? end;
    const names = spans.filter((span) => span.from <= from && span.to >= to);
    const part = line.slice(from - start, to - start);
    if (names.length === 0) content.append(part);
    else {
      const span = content.appendChild(document.createElement("span"));
      span.className = names.map(({ name }) => name).join(" ");
      span.textContent = part;
    }
  }
  if (line === "") content.append(document.createElement("br"));
  return dom;
}

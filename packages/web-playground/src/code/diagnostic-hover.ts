import type { Extension } from "@codemirror/state";
import { EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { Diagnostic } from "@idewire/core";
import { diagnosticsIn } from "./diagnostic-marks.ts";

/** What is wrong where the pointer is, said beside it for as long as it is there or on the words. */
class Hover {
  readonly dom = element("ul", "cm-told");
  readonly #view: EditorView;

  constructor(view: EditorView) {
    this.#view = view;
    this.dom.hidden = true;
    view.dom.append(this.dom);
    view.dom.addEventListener("mouseover", this.#onmove);
    view.dom.addEventListener("mouseleave", this.#onmove);
  }

  update({ docChanged }: ViewUpdate): void {
    if (docChanged) this.dom.hidden = true;
  }

  destroy(): void {
    this.#view.dom.removeEventListener("mouseover", this.#onmove);
    this.#view.dom.removeEventListener("mouseleave", this.#onmove);
    this.dom.remove();
  }

  readonly #onmove = ({ type, target }: MouseEvent): void => {
    if (!(target instanceof Element) || target.closest(".cm-told") !== null) return;
    const place = type === "mouseover" ? target.closest(".cm-marked, .cm-sign") : null;
    this.dom.hidden = place === null;
    if (place !== null) this.#show(place);
  };

  #show(place: Element): void {
    const view = this.#view;
    const [box, at] = [view.dom.getBoundingClientRect(), place.getBoundingClientRect()];
    const line = view.lineBlockAtHeight(at.top + at.height / 2 - view.documentTop);
    const pos = place.matches(".cm-sign") ? undefined : view.posAtDOM(place);
    const found = diagnosticsIn(view.state, pos ?? line.from, pos ?? line.to);
    this.dom.replaceChildren(...found.map(describe));
    const { offsetWidth, offsetHeight } = this.dom;
    const [left, below] = [at.left - box.left, at.bottom - box.top];
    const isLow = below + offsetHeight > box.height;
    this.dom.style.left = `${Math.max(0, Math.min(left, box.width - offsetWidth))}px`;
    this.dom.style.top = `${isLow ? at.top - box.top - offsetHeight : below}px`;
  }
}

function describe({ severity, message, source }: Diagnostic): HTMLElement {
  const item = element("li", `cm-${severity}`, message);
  if (source !== undefined) item.append(element("small", "", source));
  return item;
}

function element(name: string, className: string, text = ""): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

const theme = EditorView.theme({
  ".cm-told": {
    ...{ position: "absolute", zIndex: "300", maxWidth: "100%", boxSizing: "border-box" },
    ...{ margin: "0", padding: "0", listStyle: "none", fontFamily: "var(--sans)" },
    ...{ background: "var(--pane)", border: "1px solid var(--line)" },
  },
  ".cm-told li": { padding: "3px 8px", whiteSpace: "pre-wrap" },
  ".cm-told small": { display: "block", color: "var(--muted)" },
});

/** Says what is wrong with that which the pointer is over. */
export const diagnosticHover: Extension = [ViewPlugin.fromClass(Hover), theme];

import {
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Text,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter } from "@codemirror/view";
import type { Diagnostic } from "@idewire/core";

/** What is wrong with which part of the text. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly diagnostic: Diagnostic;
}

type Severity = Diagnostic["severity"];

/** From the worst on; each has a sign, so that it needs no colour. */
const looks: Readonly<Record<Severity, readonly [sign: string, colour: string]>> = {
  error: ["●", "var(--bad)"],
  warning: ["▲", "var(--warn)"],
  information: ["■", "var(--ide)"],
  hint: ["○", "var(--muted)"],
};
const severities = Object.keys(looks) as readonly Severity[];

class Sign extends GutterMarker {
  readonly severity: Severity;

  constructor(severity: Severity) {
    super();
    this.severity = severity;
  }

  override eq({ severity }: Sign): boolean {
    return severity === this.severity;
  }

  override toDOM(): HTMLElement {
    const sign = document.createElement("span");
    sign.className = `cm-sign cm-${this.severity}`;
    [sign.textContent] = looks[this.severity];
    return sign;
  }
}

const setMarks = StateEffect.define<readonly Mark[]>();

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, { changes, effects, newDoc }) {
    const told = effects.find((effect) => effect.is(setMarks));
    if (told === undefined) return set.map(changes);
    return Decoration.set(
      told.value.map((mark) => draw(mark, newDoc)),
      true,
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** What has no length marks its line. */
function draw({ from, to, diagnostic }: Mark, doc: Text) {
  const told = { class: `cm-marked cm-${diagnostic.severity}`, diagnostic };
  return from === to
    ? Decoration.line(told).range(doc.lineAt(from).from)
    : Decoration.mark(told).range(from, to);
}

/** What is wrong with a part of the text, or next to it. */
export function diagnosticsIn(state: EditorState, from: number, to: number): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  state.field(marks).between(from, to, (_from, _to, { spec }) => {
    found.push(spec["diagnostic"]);
  });
  return found;
}

const signsOfLines = gutter({
  class: "cm-signs",
  lineMarker(view, { from, to }) {
    const found = diagnosticsIn(view.state, from, to).map(({ severity }) => severity);
    const worst = severities.find((severity) => found.includes(severity));
    return worst === undefined ? null : new Sign(worst);
  },
  lineMarkerChange: ({ state, startState }) => state.field(marks) !== startState.field(marks),
});

const theme = EditorView.theme({
  ".cm-marked": { textDecoration: "underline wavy 1px", textUnderlineOffset: "3px" },
  ...Object.fromEntries(
    Object.entries(looks).flatMap(([severity, [, colour]]) => [
      [`.cm-marked.cm-${severity}`, { textDecorationColor: colour }],
      [`.cm-sign.cm-${severity}`, { color: colour }],
      [`.cm-told .cm-${severity}`, { borderInlineStart: `4px solid ${colour}` }],
    ]),
  ),
  ".cm-signs": { width: "1.4em", textAlign: "center" },
});

/** Underlines what is wrong, and puts a sign before its line. */
export const diagnosticMarks: Extension = [marks, signsOfLines, theme];

/** What is wrong from now on, in place of what was. */
export function tellMarks(told: readonly Mark[]): StateEffect<readonly Mark[]> {
  return setMarks.of(told);
}

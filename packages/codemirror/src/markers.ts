import { forEachDiagnostic, type Diagnostic as Marker } from "@codemirror/lint";
import type { EditorState, Text } from "@codemirror/state";
import type { Diagnostic } from "@idewire/core";
import { offsetOf, rangeOf } from "./positions.ts";

/** Diagnostics as `setDiagnostics` of `@codemirror/lint` takes them. */
export function toMarkers(doc: Text, diagnostics: readonly Diagnostic[]): readonly Marker[] {
  return diagnostics.map(({ range, severity, message, source }) => {
    const from = offsetOf(doc, range.start);
    return {
      from,
      to: Math.max(from, offsetOf(doc, range.end)),
      severity: severity === "information" ? "info" : severity,
      message,
      ...(source !== undefined && { source }),
    };
  });
}

/** The diagnostics that `@codemirror/lint` marks in an editor, at the current places of their text. */
export function diagnosticsIn(state: EditorState): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  forEachDiagnostic(state, ({ severity, message, source }, from, to) => {
    found.push({
      range: rangeOf(state.doc, from, to),
      severity: severity === "info" ? "information" : severity,
      message,
      ...(source !== undefined && { source }),
    });
  });
  return found;
}

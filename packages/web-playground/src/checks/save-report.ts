import { type CheckReport, formatCheckJunit, formatCheckMarkdown } from "@idewire/devtools/checks";
import { evidenceOf } from "@idewire/devtools/internal";
import { download } from "../ui/copy.ts";

/** The formats of a saved report, by file extension. */
export const reportForms = {
  md: "Text (Markdown)",
  json: "JSON",
  xml: "JUnit XML",
} as const;

export type ReportForm = keyof typeof reportForms;

/** The editor that was checked. */
export interface CheckedEditor {
  readonly name: string;
  readonly port?: number;
}

/** Offers a report as a file, as `idewire check` writes it. */
export function saveReport(report: CheckReport, form: ReportForm, editor: CheckedEditor): void {
  download(`idewire-check.${form}`, format(report, form, editor));
}

function format(report: CheckReport, form: ReportForm, editor: CheckedEditor): string {
  switch (form) {
    case "md":
      return formatCheckMarkdown(report);
    case "xml":
      return formatCheckJunit(report);
    case "json": {
      const { ok, ms, results } = report;
      const value = { ok, editor, ms, results, events: evidenceOf(report) };
      return `${JSON.stringify(value, undefined, 2)}\n`;
    }
  }
}

import type { FileDiagnostics } from "../editor-host.ts";
import type { IdeTool } from "../ide-tool.ts";
import { mayShare } from "../share-policy.ts";
import { type GetDiagnosticsArguments, getDiagnostics, uriInput } from "./get-diagnostics.ts";

/** Like `getDiagnostics`, but for the active document when there is no URI. */
export const getCurrentDiagnostics: IdeTool<GetDiagnosticsArguments, readonly FileDiagnostics[]> = {
  title: "Get diagnostics",
  description: "Errors and warnings that the editor shows for one file, or else the active one",
  input: uriInput,
  readOnly: true,
  needs: "diagnostics",
  async run(args, context) {
    if (typeof args.uri === "string") return getDiagnostics.run(args, context);
    const { host, session } = context;
    const active = host.documents().find((document) => document.active);
    if (active === undefined || !mayShare(session.share, "selection", active.path)) return [];
    const files = (await host.diagnostics?.(active.path)) ?? [];
    return files.filter(({ path }) => mayShare(session.share, "selection", path));
  },
};

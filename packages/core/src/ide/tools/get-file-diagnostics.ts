import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { FileDiagnostics } from "../editor-host.ts";
import type { IdeTool } from "../ide-tool.ts";
import { mayShare } from "../share-policy.ts";
import { demandShared, readAgentPath } from "./common/agent-path.ts";

export interface GetFileDiagnosticsArguments {
  /** The whole workspace by default. */
  readonly file_path?: string;
}

/** Like `getDiagnostics`, by path. */
export const getFileDiagnostics: IdeTool<GetFileDiagnosticsArguments, readonly FileDiagnostics[]> =
  {
    title: "Get diagnostics",
    description: "Errors and warnings that the editor shows, for one file or the whole workspace",
    input: plainInput<GetFileDiagnosticsArguments>({
      file_path: {
        type: "string",
        optional: true,
        description: "Path of the file; by default the whole workspace",
      },
    }),
    readOnly: true,
    needs: "diagnostics",
    async run({ file_path }, context) {
      const { host, session, platform } = context;
      const path =
        file_path === undefined ? undefined : readAgentPath("file_path", file_path, platform);
      if (path !== undefined) {
        demandShared("file_path", path, context);
        // Without calling the host, whose failures would reveal whether the file exists.
        if (!mayShare(session.share, "selection", path)) return [];
      }
      const files = (await host.diagnostics?.(path)) ?? [];
      return files.filter((file) => mayShare(session.share, "selection", file.path));
    },
  };

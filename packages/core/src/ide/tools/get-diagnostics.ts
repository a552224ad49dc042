import * as v from "valibot";
import { exactly } from "../../exactly.ts";
import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { ToolInput } from "../../mcp/schemas/tool-input.ts";
import { fromFileUri, fromRawFileUri } from "../../paths/file-uri.ts";
import type { Platform, PosixPath } from "../../paths/posix-path.ts";
import { isObject, type Params } from "../../rpc/message.ts";
import type { EditorHost, FileDiagnostics } from "../editor-host.ts";
import type { IdeTool } from "../ide-tool.ts";
import { mayShare } from "../share-policy.ts";
import {
  accept,
  demandInWorkspace,
  isInWorkspace,
  outside,
  readAgentPath,
} from "./common/agent-path.ts";

export interface GetDiagnosticsArguments {
  /** `file://` and a path, raw or percent-encoded; the whole workspace when absent or null. */
  readonly uri?: string | null;
}

const schema = exactly<GetDiagnosticsArguments>()(
  v.object({
    uri: v.exactOptional(
      v.pipe(
        v.nullable(v.string()),
        v.description("file:// URI of one file; leave it out for the whole workspace"),
      ),
    ),
  }),
);

/** Shared with the tool that takes no URI for the active document. */
export const uriInput: ToolInput<GetDiagnosticsArguments> = plainInput(schema);

/** What is wrong with one file, or with all that the host knows of, as far as it is shared. */
export const getDiagnostics: IdeTool<GetDiagnosticsArguments, readonly FileDiagnostics[]> = {
  title: "Get diagnostics",
  description: "Errors and warnings that the editor shows, for one file or the whole workspace",
  input: uriInput,
  readOnly: true,
  needs: "diagnostics",
  async run({ uri }, { host, session, platform, call }) {
    const { share } = session;
    const isShared = ({ path }: { readonly path: PosixPath }) => mayShare(share, "selection", path);
    const paths = uri === undefined || uri === null ? undefined : readUri(uri, host, platform);
    const [first] = paths ?? [];
    if (first !== undefined && paths?.every((path) => share.leadsOutside?.(path))) {
      throw outside("uri", first);
    }
    if (first !== undefined && !isOfModel(call.params)) await session.writes.asked(session, first);
    // The host is not even asked about what is not shared: its refusals would tell what is there.
    const asked = paths?.filter((path) => isShared({ path }));
    if (asked?.length === 0) return [];
    return (await askHost(host, asked)).filter(isShared);
  },
};

/** Claude Code says so of the calls that its model makes; it makes others before it writes. */
function isOfModel(params: Params | undefined): boolean {
  const meta = params?.["_meta"];
  return isObject(meta) && meta["claudecode/toolUseId"] !== undefined;
}

/**
 * Claude Code sends raw paths; its model sends whatever it thinks right, often percent-encoded. So
 * what could be either is read as both.
 * @throws ToolFailure when neither is a path in the workspace
 */
function readUri(uri: string, host: EditorHost, platform: Platform): readonly PosixPath[] {
  const raw = uri.startsWith("file://")
    ? accept("uri", fromRawFileUri(uri, platform))
    : readAgentPath("uri", uri, platform);
  const decoded = uri.includes("%") ? fromFileUri(uri, platform) : undefined;
  if (decoded?.ok !== true || !isInWorkspace(host, decoded.value, platform)) {
    demandInWorkspace(host, "uri", raw, platform);
    return [raw];
  }
  return isInWorkspace(host, raw, platform) ? [raw, decoded.value] : [decoded.value];
}

/** Of several paths one that the host answers for is enough. */
async function askHost(
  host: EditorHost,
  paths: readonly PosixPath[] | undefined,
): Promise<readonly FileDiagnostics[]> {
  if (paths === undefined) return (await host.diagnostics?.()) ?? [];
  const answers = await Promise.allSettled(paths.map(async (path) => host.diagnostics?.(path)));
  const failure = answers.at(-1);
  if (failure?.status === "rejected" && answers.every(({ status }) => status === "rejected")) {
    throw failure.reason;
  }
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? (answer.value ?? []) : []));
}

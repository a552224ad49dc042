import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { StandardSchema } from "../../mcp/schemas/standard-schema.ts";
import { fromFileUri, fromRawFileUri } from "../../paths/file-uri.ts";
import type { Platform, PosixPath } from "../../paths/posix-path.ts";
import type { Params } from "../../rpc/message.ts";
import type { EditorHost, FileDiagnostics } from "../editor-host.ts";
import type { IdeTool, IdeToolContext } from "../ide-tool.ts";
import { mayShare } from "../share-policy.ts";
import {
  accept,
  demandInWorkspace,
  isInWorkspace,
  outside,
  readAgentPath,
} from "./common/agent-path.ts";

export interface GetDiagnosticsArguments {
  /** `file://` and a path, raw or percent-encoded; the whole workspace if absent or null. */
  readonly uri?: string | null;
}

/** Shared with the tool that defaults to the active document. */
export const uriInput: StandardSchema<unknown, GetDiagnosticsArguments> =
  plainInput<GetDiagnosticsArguments>({
    uri: {
      type: "string",
      nullable: true,
      optional: true,
      description: "file:// URI of one file; leave it out for the whole workspace",
    },
  });

/** The diagnostics of one file, or of all files that the host has checked, as far as they are shared. */
export const getDiagnostics: IdeTool<GetDiagnosticsArguments, readonly FileDiagnostics[]> = {
  title: "Get diagnostics",
  description: "Errors and warnings that the editor shows, for one file or the whole workspace",
  input: uriInput,
  readOnly: true,
  needs: "diagnostics",
  run: (args, context) => answer(args, context, isOfModel(context.call.meta)),
};

/** The same for agents whose model alone calls it. */
export const getDiagnosticsForModel: typeof getDiagnostics = {
  title: getDiagnostics.title,
  description: getDiagnostics.description,
  input: uriInput,
  readOnly: true,
  needs: "diagnostics",
  run: (args, context) => answer(args, context, true),
};

async function answer(
  { uri }: GetDiagnosticsArguments,
  { host, session, platform }: IdeToolContext,
  isModel: boolean,
): Promise<readonly FileDiagnostics[]> {
  // What is shared may have changed when the host answers.
  const isShared = (path: PosixPath) => mayShare(session.share, "selection", path);
  const paths = uri === undefined || uri === null ? undefined : readUri(uri, host, platform);
  const [first] = paths ?? [];
  if (first !== undefined && paths?.every((path) => session.share.leadsOutside?.(path))) {
    throw outside("uri", first);
  }
  const isBaseline = first !== undefined && !isModel;
  if (isBaseline) await session.writes?.asked(session, first);
  // The host is not called for files that are not shared: its failures would reveal whether they exist.
  const asked = paths?.filter(isShared);
  if (asked?.length === 0) return [];
  const files = await askHost(host, asked);
  const about = { session, host, isShared, path: first, isBaseline };
  const annotated = session.annotateDiagnostics?.(files, about);
  return ((await annotated) ?? files).filter(({ path }) => isShared(path));
}

/** Claude Code marks the calls that its model makes; the others precede a write. */
function isOfModel(meta: Params): boolean {
  return meta["claudecode/toolUseId"] !== undefined;
}

/**
 * The paths that a URI may mean: Claude Code itself sends raw paths, while its model often sends
 * percent-encoded ones.
 * @throws ToolFailure when none of them is in the workspace
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

/** Fails only if the host fails for every path. */
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

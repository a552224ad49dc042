import { plainInput } from "../../mcp/schemas/plain-input.ts";
import { comparisonKey, toPosixPath } from "../../paths/posix-path.ts";
import type { DiffRequest, EditorHost } from "../editor-host.ts";
import type { IdeTool } from "../ide-tool.ts";
import type { SharePolicy } from "../share-policy.ts";

export interface CloseTabArguments {
  /** A diff's title, a tab's label, or a file's path. */
  readonly tab_name: string;
}

/** Closes the session's diffs with a title, or else a tab, or else its diffs of a file. */
export const closeTab: IdeTool<CloseTabArguments, boolean> = {
  title: "Close tab",
  description: "Closes a diff or a tab by its name",
  input: plainInput<CloseTabArguments>({
    tab_name: { type: "string", description: "The title of a diff, or the label of a tab" },
  }),
  readOnly: false,
  async run({ tab_name }, { host, session, platform }) {
    const closed = await session.diffs.closeThose(({ title }) => title === tab_name);
    if (closed.length > 0) return true;
    const named = toPosixPath(tab_name, platform);
    const isHidden =
      isHiddenTab(tab_name, host, session.share) ||
      (named.ok && session.share.isExcluded(named.value));
    if (!isHidden && (await host.closeTab?.(tab_name))) return true;
    if (!named.ok) return false;
    const key = comparisonKey(named.value, platform);
    const isNamed = ({ path }: DiffRequest) => comparisonKey(path, platform) === key;
    return (await session.diffs.closeThose(isNamed)).length > 0;
  },
};

/**
 * Whether a name may refer to a tab that is excluded from sharing, so that agents must not learn whether it
 * is open.
 */
function isHiddenTab(name: string, host: EditorHost, { isExcluded }: SharePolicy): boolean {
  const wanted = name.normalize("NFC");
  return host.documents().some(({ path, label }) => {
    const names = [label, path].map((each) => each.normalize("NFC"));
    const isMeant = names.includes(wanted) || names[1]?.endsWith(`/${wanted}`) === true;
    return isMeant && isExcluded(path);
  });
}

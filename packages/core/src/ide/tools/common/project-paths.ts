import { toNativePath, toPosixPath } from "../../../paths/posix-path.ts";
import type { IdeTool, IdeToolContext } from "../../ide-tool.ts";

/**
 * The same tool, except that one of its arguments may be relative to the first workspace folder.
 */
export function takeProjectPaths<Arguments, Outcome>(
  tool: IdeTool<Arguments, Outcome>,
  argument: keyof Arguments,
): IdeTool<Arguments, Outcome> {
  return {
    ...tool,
    run: (args, context) =>
      tool.run({ ...args, [argument]: toAbsolute(args[argument], context) }, context),
  };
}

function toAbsolute<Value>(value: Value, { host, platform }: IdeToolContext): Value | string {
  const [folder] = host.workspace().folders;
  if (typeof value !== "string" || folder === undefined) return value;
  const isAbsolute = toPosixPath(value, platform).ok;
  return isAbsolute ? value : `${toNativePath(folder.path, platform)}/${value}`;
}

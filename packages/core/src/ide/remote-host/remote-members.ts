import * as v from "valibot";
import { ToolFailure } from "../../errors.ts";
import {
  comparisonKey,
  type Platform,
  type PosixPath,
  toNativePath,
} from "../../paths/posix-path.ts";
import { describePath } from "../../text/describe-value.ts";
import type { EditorHost, FileDiagnostics } from "../editor-host.ts";
import * as HostMethod from "./host-method.ts";
import { createRemoteDiffs } from "./remote-diffs.ts";
import type { RemoteRequests } from "./remote-requests.ts";
import { closeTabResult, diagnosticsResult, readResult, saveResult } from "./wire-calls.ts";
import { checkedPath } from "./wire-fault.ts";
import type { HostMember } from "./wire-state.ts";

/** The members of a host that are requests to the editor. */
export type AskedMembers = Required<Pick<EditorHost, HostMember>>;

const anything = v.unknown();

/** All members that are requests, whether the editor has announced them or not. */
export function askEditor(requests: RemoteRequests, platform: Platform): AskedMembers {
  const diffs = createRemoteDiffs(requests, platform);
  const native = (path: PosixPath) => toNativePath(path, platform);
  return {
    async read(path) {
      return (await requests.ask(HostMethod.Read, { path: native(path) }, readResult)).text;
    },
    async reveal(path, options) {
      await requests.ask(HostMethod.Reveal, { ...options, path: native(path) }, anything);
    },
    async select(path, range) {
      await requests.ask(HostMethod.Select, { path: native(path), range }, anything);
    },
    openDiff: (request, signal) => diffs.open(request, signal),
    closeDiff: (id, why) => diffs.close(id, why),
    async diagnostics(path) {
      const params = path === undefined ? {} : { path: native(path) };
      const { files } = await requests.ask(HostMethod.Diagnostics, params, diagnosticsResult);
      const read = files.map((file, index): FileDiagnostics => {
        return { ...file, path: checkedPath(`files.${index}.path`, file.path, platform) };
      });
      return path === undefined ? read : read.filter((file) => isSame(file.path, path, platform));
    },
    save: (path) => requests.ask(HostMethod.Save, { path: native(path) }, saveResult),
    async format(path) {
      await requests.ask(HostMethod.Format, { path: native(path) }, anything);
    },
    async closeTab(key) {
      return (await requests.ask(HostMethod.CloseTab, { key }, closeTabResult)).closed;
    },
  };
}

/** Replaces `read` for an editor that does not have it. */
export async function readNothing(path: PosixPath): Promise<string> {
  throw new ToolFailure(`${describePath(path)}: this editor does not read files for agents`);
}

function isSame(left: PosixPath, right: PosixPath, platform: Platform): boolean {
  return comparisonKey(left, platform) === comparisonKey(right, platform);
}

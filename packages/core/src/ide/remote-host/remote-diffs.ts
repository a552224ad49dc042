import { type Platform, toNativePath } from "../../paths/posix-path.ts";
import { DiffCalls } from "../diffs/diff-calls.ts";
import type { DiffOutcome, DiffRequest } from "../editor-host.ts";
import * as HostMethod from "./host-method.ts";
import type { RemoteRequests } from "./remote-requests.ts";
import { closeDiffResult, openDiffResult } from "./wire-calls.ts";

/** How long an editor may take to close a diff that nobody wants any more. */
const CLOSE_TIMEOUT_MS = 5_000;

/** The proposals that an editor over the wire shows. */
export function createRemoteDiffs(requests: RemoteRequests, platform: Platform): DiffCalls {
  return new DiffCalls({
    openDiff: (request) => askForAnswer(requests, platform, request),
    async closeDiff(id, why) {
      const asked = HostMethod.CloseDiff;
      try {
        return await requests.askNow(asked, { id, why }, closeDiffResult, CLOSE_TIMEOUT_MS);
      } catch {
        // An editor that cannot close it has it on the screen still; its answer is not awaited.
        return { alreadyClosed: false };
      }
    },
  });
}

async function askForAnswer(
  requests: RemoteRequests,
  platform: Platform,
  request: DiffRequest,
): Promise<DiffOutcome> {
  const params = {
    ...request,
    path: toNativePath(request.path, platform),
    oldPath: toNativePath(request.oldPath, platform),
  };
  try {
    const outcome = await requests.ask(HostMethod.OpenDiff, params, openDiffResult, Infinity);
    if (outcome.kind !== "accepted") return outcome;
    const { text = request.proposed } = outcome;
    return { kind: "accepted", text, edited: text !== request.proposed };
  } catch (error) {
    if (requests.gone) return { kind: "cancelled" };
    throw error;
  }
}

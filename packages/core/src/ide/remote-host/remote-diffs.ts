import { type Platform, toNativePath } from "../../paths/posix-path.ts";
import { wellFormed } from "../../text/well-formed.ts";
import { DiffCalls } from "../diffs/diff-calls.ts";
import type { DiffOutcome, DiffRequest } from "../editor-host.ts";
import * as HostMethod from "./host-method.ts";
import type { RemoteRequests } from "./remote-requests.ts";
import { closeDiffResult, openDiffResult } from "./wire-calls.ts";

/** The time-out for closing a diff. */
const CLOSE_TIMEOUT_MS = 5_000;

/** The diffs of an editor behind a wire. */
export function createRemoteDiffs(requests: RemoteRequests, platform: Platform): DiffCalls {
  return new DiffCalls({
    openDiff: (request) => askForAnswer(requests, platform, request),
    async closeDiff(id, why) {
      const asked = HostMethod.CloseDiff;
      try {
        return await requests.askNow(asked, { id, why }, closeDiffResult, CLOSE_TIMEOUT_MS);
      } catch {
        // The editor may still show the diff, but its answer is not awaited.
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
    // The text that the person has seen, and so accepted.
    const { text = wellFormed(request.proposed) } = outcome;
    return { kind: "accepted", text, edited: text !== request.proposed };
  } catch (error) {
    if (requests.gone) return { kind: "cancelled" };
    throw error;
  }
}

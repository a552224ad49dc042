import {
  commandOutcomes,
  explainFailure,
  isEditorVerb,
  serveCommands,
} from "@idewire/core/internal";
import { messageOf } from "@idewire/core/internal/base";
import { type Peer, RpcError, RpcErrorCode, ToolFailure } from "@idewire/core/rpc";
import type { CommandedEditors } from "@idewire/node-server/internal";
import { toRange } from "../serve/terminal/prompt/place.ts";
import { FIND_RANGE } from "./control-methods.ts";
import { typedRange } from "./control-protocol.ts";
import { type ControlTarget, runControl, withActive } from "./control-target.ts";
import { serveReviews } from "./review-server.ts";

const editorVerbs = Object.keys(commandOutcomes).filter(isEditorVerb);

/**
 * Accepts the commands of `idewire select` and the like on a connection of the folder's socket.
 * @param own the editor of this process
 */
export function answerControl(peer: Peer, own: ControlTarget, editors: CommandedEditors): void {
  const wasShown = serveReviews(peer, own.reviews);
  peer.handle(FIND_RANGE, ({ params }) => {
    const range = typedRange.parse(params ?? {});
    if (!range.ok) throw new RpcError(RpcErrorCode.InvalidParams, range.issue);
    const { path, start, end } = range.value;
    const target = withActive(own, editors);
    return explainFailure(() =>
      forPerson(async () => toRange(start, end, await target.host.read(target.locate(path)))),
    );
  });
  serveCommands(peer, {
    verbs: editorVerbs,
    issueOf: (command) =>
      command.do === "answerDiff" && !wasShown(command.id)
        ? `the diff ${command.id} must be shown before it is answered`
        : undefined,
    run: (command) => forPerson(() => runControl(command, withActive(own, editors))),
  });
}

/** The person runs the client, so errors are for the person. */
async function forPerson<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new ToolFailure(messageOf(error));
  }
}

import { type Mention, type ShareLevel, toNativePath } from "@idewire/core";
import type { SessionId, ShareChange } from "@idewire/core/internal";
import { shareLevels } from "@idewire/core/internal";
import { ToolFailure } from "@idewire/core/rpc";
import type { IdeListener } from "@idewire/node-server";
import { deliveryOf } from "@idewire/node-server/internal";
import { type NotifiedEditor, warnEditor } from "./notify-editor.ts";

/**
 * Sends agents a mention of the editor, and returns the agents that receive it; warns the person otherwise.
 * @throws ToolFailure with the reason when none does
 */
export function deliverMention(
  { peer, editor, listener, log }: NotifiedEditor,
  mention: Mention,
): readonly SessionId[] {
  try {
    const { sessions } = deliveryOf(mention, listener);
    editor.mention(mention);
    return sessions;
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    const { message } = error;
    log(`warning: a mention was lost: ${message}`);
    const path = toNativePath(mention.path, editor.platform);
    warnEditor(peer, editor, { code: "mention-lost", message, path });
    throw error;
  }
}

/**
 * Changes the share policy; `always` are the patterns of the command line. The order ensures that no
 * intermediate state shares more than the old and the new one.
 */
export function changeShare(
  listener: IdeListener,
  { level, exclude }: ShareChange,
  always: readonly string[],
): ShareLevel {
  const setLevel = () => {
    if (listener.share.level !== level) listener.share = { ...listener.share, level };
  };
  const isLower = shareLevels.indexOf(level) < shareLevels.indexOf(listener.share.level);
  if (isLower) setLevel();
  if (exclude !== undefined) listener.exclude = [...new Set([...always, ...exclude])];
  setLevel();
  return level;
}

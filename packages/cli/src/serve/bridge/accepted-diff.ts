import { mkdir } from "node:fs/promises";
import { type PosixPath, toPosixPath } from "@idewire/core";
import { ToolFailure } from "@idewire/core/rpc";
import type { CallToolResult } from "@idewire/core/server";
import { codeOf, platform } from "@idewire/node-server/internal";
import {
  draftName,
  fromNative,
  parentOf,
  replaceFile,
  toNative,
  WorkspacePaths,
} from "@idewire/node-server/internal/files";
import { saveTextFile } from "../../folder-host/save-text-file.ts";

const ASKS = "Shows a proposed change of a file to the person, and waits for the answer.";

/** Descriptions of `openDiff` that state who writes the file: only Claude Code writes it by convention. */
export const diffDescriptions: Readonly<Record<"callerWrites" | "bridgeWrites", string>> = {
  callerWrites: `${ASKS} It writes nothing: after FILE_SAVED, write exactly the text that follows it to the file; after DIFF_REJECTED, write nothing.`,
  bridgeWrites: `${ASKS} After FILE_SAVED the text that follows it has been written to the file; do not write it again.`,
};

/** The accepted text; undefined if the change was not accepted. */
function acceptedText({ content, isError }: CallToolResult): string | undefined {
  const [word, text] = content;
  const isSaved = word?.type === "text" && word.text === "FILE_SAVED" && isError !== true;
  return isSaved && text?.type === "text" ? text.text : undefined;
}

/** A result that states who writes the file. */
export function withCallerWriting(path: string, result: CallToolResult): CallToolResult {
  if (acceptedText(result) === undefined) return result;
  return addText(result, `Nothing was written: write exactly the text above to ${path}.`);
}

/**
 * Reads a file before its change is proposed, so that later changes are not overwritten.
 * @returns a function that writes the accepted text, if any, and states that in the result
 * @throws ToolFailure when the file is outside the folder, or not a text
 */
export async function prepareWrite(
  folder: string,
  asked: string,
): Promise<(result: CallToolResult) => Promise<CallToolResult>> {
  const paths = new WorkspacePaths(fromNative(folder));
  const named = toPosixPath(asked, platform);
  if (!named.ok) throw new ToolFailure(named.issue);
  const { real, file } = await paths.readInside(named.value);
  if (file.kind === "refused") throw new ToolFailure(`${asked} ${file.why}`);
  return async (result) => {
    const accepted = acceptedText(result);
    if (accepted === undefined) return result;
    const text = accepted.replace(/^\uFEFF/, "");
    const fault =
      file.kind === "missing"
        ? await createFile(real, accepted, paths)
        : await saveTextFile(
            { path: real, text, expected: file.text, bom: accepted !== text },
            paths,
          ).then((outcome) => (outcome.saved ? undefined : outcome.message));
    if (fault === undefined) return addText(result, `Written to ${asked}.`);
    const words = `The person has accepted the change, but it was not written: ${fault}`;
    return { content: [{ type: "text", text: words }], isError: true };
  };
}

/** @returns why it was not written */
async function createFile(
  real: PosixPath,
  text: string,
  paths: WorkspacePaths,
): Promise<string | undefined> {
  try {
    const { inside } = await paths.locate(real);
    if (!inside) return `${real} is now outside the folder`;
    const folder = toNative(parentOf(real));
    await mkdir(folder, { recursive: true });
    const draft = `${folder}/.${draftName()}`;
    await replaceFile(toNative(real), { text, draft, mode: 0o666, onlyIfMissing: true });
    return undefined;
  } catch (error) {
    const isTaken = codeOf(error) === "EEXIST";
    return isTaken ? `${real} has appeared since it was proposed` : (error as Error).message;
  }
}

function addText(result: CallToolResult, text: string): CallToolResult {
  return { ...result, content: [...result.content, { type: "text", text }] };
}

import { isObject } from "@idewire/core/internal";
import { createTwoFilesPatch } from "diff/lib/patch/create.js";

/** The parts of opencode's permission request that a review needs. */
export interface OpencodePermission {
  readonly id: string;
  readonly session: string;
  readonly message: string;
  readonly call: string;
  /** Native and absolute. */
  readonly path: string;
  /** A patch whose common indentation is cut off. */
  readonly patch: string;
}

/** Reads a request for permission to edit one file; undefined for any other. */
export function readPermission(value: unknown): OpencodePermission | undefined {
  if (!isObject(value) || value["permission"] !== "edit") return undefined;
  const { id, sessionID: session, metadata, tool } = value;
  if (!isObject(metadata) || !isObject(tool)) return undefined;
  const { filepath: path, diff: patch } = metadata;
  const { messageID: message, callID: call } = tool;
  const texts = { id, session, message, call, path, patch };
  const isWhole = Object.values(texts).every((text) => typeof text === "string");
  return isWhole ? (texts as OpencodePermission) : undefined;
}

/**
 * The whole text that opencode would write, from the arguments of its tool, as its patch lacks indentation.
 * Undefined if these do not result in the patch, as after one of its inexact searches.
 * @param message the message of its session with the call
 * @param current the text of the file; undefined for a new one
 */
export function findProposal(
  { call, patch }: OpencodePermission,
  message: unknown,
  current: string | undefined,
): string | undefined {
  const input = inputOf(message, call);
  const proposed = input && applyTo(current, input);
  if (proposed === undefined) return undefined;
  const made = createTwoFilesPatch("", "", toLf(current ?? ""), toLf(proposed));
  return changesOf(made) === changesOf(patch) ? proposed : undefined;
}

function inputOf(message: unknown, call: string): Readonly<Record<string, unknown>> | undefined {
  const parts: unknown = isObject(message) ? message["parts"] : undefined;
  if (!Array.isArray(parts)) return undefined;
  const part: unknown = parts.find((each: unknown) => isObject(each) && each["callID"] === call);
  const state = isObject(part) ? part["state"] : undefined;
  const input = isObject(state) ? state["input"] : undefined;
  return isObject(input) ? input : undefined;
}

/** Its tools `write` and `edit`. */
function applyTo(
  current: string | undefined,
  { content, oldString, newString, replaceAll }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (typeof content === "string") return content;
  if (typeof oldString !== "string" || typeof newString !== "string") return undefined;
  if (oldString === "") return newString;
  if (current === undefined) return undefined;
  const parts = current.split(oldString);
  const isFound = replaceAll === true ? parts.length > 1 : parts.length === 2;
  return isFound ? parts.join(newString) : undefined;
}

function toLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** The lines that a patch adds and removes, without their indentation. */
function changesOf(patch: string): string {
  const lines = patch.split("\n");
  const hunks = lines.slice(lines.findIndex((line) => line.startsWith("@@")));
  const changed = hunks.filter((line) => /^[+-]/.test(line));
  return changed.map((line) => line.charAt(0) + line.slice(1).trim()).join("\n");
}

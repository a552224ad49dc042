import { realpath } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { dirname } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import type { EditorCommand, Range } from "@idewire/core";
import { commandMethod, isObject, type MentionDelivery } from "@idewire/core/internal/base";
import { IdewireError, Peer, RpcError } from "@idewire/core/rpc";
import {
  controlPath,
  type Environment,
  MAX_CONTROL_BYTES,
  pathFault,
} from "@idewire/node-server/internal/files";
import { createStdioTransport } from "@idewire/node-server/stdio";
import type { FindRange } from "../serve/terminal/prompt/place.ts";
import { FIND_RANGE } from "./control-methods.ts";

const CONNECT_MS = 2_000;
const ANSWER_MS = 10_000;

/** Creates a command with native absolute paths, once an editor is found that can locate ranges in its texts. */
export type ComposeCommand = (
  find: FindRange,
) => Promise<EditorCommand<string>> | EditorCommand<string>;

/**
 * Sends a command to the editor that serves a folder, or the nearest folder above it.
 * @param starts native folders to start from, in turn
 * @returns the agents that a mention has reached, if the editor reports them
 * @throws Error with a message for the person
 */
export async function sendControl(
  env: Environment,
  starts: readonly string[],
  compose: ComposeCommand,
): Promise<MentionDelivery | undefined> {
  const options = { timeoutMs: ANSWER_MS };
  return withEditor(env, starts, async (peer) => {
    const { do: verb, ...params } = await compose(
      async (path, start, end) =>
        (await peer.request(FIND_RANGE, { path, start, end }, options)) as Range,
    );
    const outcome = await peer.request(commandMethod(verb), params, options);
    const value = verb === "mention" && isObject(outcome) ? outcome["value"] : undefined;
    // The serving process has our version, or an older one without a result.
    return isObject(value) ? (value as unknown as MentionDelivery) : undefined;
  });
}

/**
 * Connects to the editor that serves a folder, or the nearest one above it, while `use` runs.
 * @param starts native folders to look from, in turn
 * @throws Error with a message for the person
 */
export async function withEditor<T>(
  env: Environment,
  starts: readonly string[],
  use: (peer: Peer) => Promise<T>,
): Promise<T> {
  const socket = await findEditor(env, starts);
  const peer = new Peer(createStdioTransport(socket, socket, { maxFrameBytes: MAX_CONTROL_BYTES }));
  try {
    return await use(peer);
  } catch (error) {
    throw explain(error);
  } finally {
    peer.close();
  }
}

async function findEditor(env: Environment, starts: readonly string[]): Promise<Socket> {
  for (const start of starts) {
    const real = await realpath(start).catch(() => start);
    for (let folder = real; ; folder = dirname(folder)) {
      const socket = await dial(controlPath(env, folder));
      if (socket !== undefined) return socket;
      if (folder === dirname(folder)) break;
    }
  }
  const where = starts.at(-1) ?? "";
  const fault = pathFault(controlPath(env, where));
  if (fault !== undefined) throw new Error(fault);
  throw new Error(`no editor serves ${where} or a folder above it; start one there: idewire serve`);
}

/** A connection; undefined when nothing listens there. */
function dial(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const timer = setTimeout(() => finish(undefined), CONNECT_MS);
    const fail = () => finish(undefined);
    const finish = (result: Socket | undefined) => {
      clearTimeout(timer);
      socket.off("error", fail);
      if (result === undefined) socket.on("error", () => {}).destroy();
      resolve(result);
    };
    socket.once("error", fail);
    socket.once("connect", () => finish(socket));
  });
}

function explain(error: unknown): unknown {
  if (error instanceof RpcError) return new Error(error.message);
  if (!(error instanceof IdewireError)) return error;
  if (error.code === "timeout") {
    return new Error(`the editor did not answer within ${ANSWER_MS / 1000} s`);
  }
  return new Error("the editor closed before it answered");
}

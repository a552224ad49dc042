import * as v from "valibot";
import { IdewireError, RpcError, RpcErrorCode, ToolFailure } from "../../errors.ts";
import { exactly } from "../../exactly.ts";
import { describeIssues } from "../../mcp/schemas/valibot-issues.ts";
import type { Peer } from "../../rpc/peer.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import type { SessionId } from "../editor-host.ts";
import type { MentionDelivery } from "../mention-delivery.ts";
import {
  commandMethod,
  type EditorCommand,
  type EditorCommandResult,
  type EditorVerb,
} from "./editor-command.ts";
import { editorCommandSchemas } from "./editor-command-schema.ts";

// The commands of a person as JSON-RPC: each is a method, its members are the parameters.

/** The result of a command on the wire; without a value if it has none. */
export interface CommandOutcome<V extends EditorVerb = EditorVerb> {
  readonly value?: EditorCommandResult<V>;
}

const none = v.object({});
const done = v.object({ value: v.boolean() });
const session = v.custom<SessionId>((value) => typeof value === "string", "Expected a string");
const delivery = exactly<MentionDelivery>()(
  v.object({
    sessions: v.array(session),
    unable: v.array(v.object({ session: v.exactOptional(session), title: v.string() })),
  }),
);

/** The schema of the outcome of each command. */
export const commandOutcomes: {
  readonly [V in EditorVerb]: v.GenericSchema<unknown, CommandOutcome<V>>;
} = {
  open: none,
  close: done,
  edit: none,
  save: v.object({
    value: v.object({ saved: v.boolean(), message: v.exactOptional(v.string()) }),
  }),
  revert: none,
  keepUnsaved: none,
  select: none,
  clearSelection: none,
  mention: v.object({ value: v.exactOptional(delivery) }),
  setDiagnostics: none,
  answerDiff: done,
};

/** A command as received: its paths are unresolved. */
type Received<V extends EditorVerb> = Extract<EditorCommand<string>, { readonly do: V }>;

/** The commands that a server accepts. */
export interface ServedCommands<V extends EditorVerb> {
  readonly verbs: readonly V[];
  /** Runs a command. The message of a ToolFailure is for the person. */
  run(this: void, command: Received<V>): Promise<EditorCommandResult<EditorVerb>>;
  /** Limits of the server: why a command is refused, undefined if it is not. */
  issueOf?(this: void, command: Received<V>): string | undefined;
}

/** Answers commands. */
export function serveCommands<V extends EditorVerb>(
  peer: Peer,
  { verbs, run, issueOf }: ServedCommands<V>,
): void {
  for (const verb of verbs) {
    const method = commandMethod(verb);
    const schema: v.GenericSchema<unknown, EditorCommand<string>> = editorCommandSchemas[verb];
    peer.handle(method, ({ params }) => {
      const read = v.safeParse(schema, { ...params, do: verb });
      const command = read.output as Received<V>;
      const issue = read.success
        ? issueOf?.(command)
        : describeIssues(schema, read.issues, "params");
      if (issue !== undefined) {
        throw new RpcError(RpcErrorCode.InvalidParams, `${method}: ${issue}`);
      }
      return explainFailure(async () => ({ value: await run(command) }));
    });
  }
}

/**
 * Sends a command.
 * @throws what {@link Peer.request} throws
 * @throws IdewireError `protocol` when the result has the wrong shape
 */
export async function requestCommand<C extends EditorCommand<string>>(
  peer: Peer,
  { do: verb, ...params }: C,
  options?: RequestOptions,
): Promise<CommandOutcome<C["do"]>> {
  const method = commandMethod(verb);
  const schema: v.GenericSchema<unknown, CommandOutcome<C["do"]>> = commandOutcomes[
    verb as C["do"]
  ];
  const read = v.safeParse(schema, await peer.request(method, params, options));
  if (read.success) return read.output;
  throw new IdewireError("protocol", `${method}: ${read.issues[0].message}`);
}

/** Answers a ToolFailure with its message, which is for the person; other errors are bugs. */
export async function explainFailure<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ToolFailure) throw new RpcError(RpcErrorCode.Failure, error.message);
    throw error;
  }
}

import { expect, test } from "vitest";
import { RpcError, ToolFailure } from "../../errors.ts";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { Peer } from "../../rpc/peer.ts";
import { commandOutcomes, requestCommand, serveCommands } from "./command-protocol.ts";
import type { EditorCommand } from "./editor-command.ts";
import { editorCommandSchemas } from "./editor-command-schema.ts";

const verbs = ["open", "save", "close"] as const;

/** An editor's server that records the commands it runs, and its client. */
function connect(run: (command: EditorCommand<string>) => unknown = () => undefined) {
  const [near, far] = createMemoryTransportPair();
  const commands: EditorCommand<string>[] = [];
  const served = new Peer(far);
  serveCommands(served, {
    verbs,
    run: async (command) => {
      commands.push(command);
      return run(command) as boolean;
    },
    issueOf: ({ path }) => (path === "" ? "path: expected some" : undefined),
  });
  return { client: new Peer(near), served, commands };
}

test("a command is a method, its members the parameters, and its outcome the result", async () => {
  const { client, commands } = connect(({ do: verb }) =>
    verb === "save" ? { saved: false, message: "no space" } : verb === "close" || undefined,
  );
  const path = "a.md";
  const save = { do: "save", path } as const;
  const close = { do: "close", path, discard: true } as const;
  expect(await requestCommand(client, save)).toEqual({
    value: { saved: false, message: "no space" },
  });
  expect(await requestCommand(client, close)).toEqual({ value: true });
  expect(await client.request("editor/open", { path, more: 1 })).toEqual({});
  expect(commands).toEqual([save, close, { do: "open", path }]);
});

test("each command has the schema of its outcome", () => {
  expect(Object.keys(commandOutcomes)).toEqual(Object.keys(editorCommandSchemas));
});

test("invalid parameters run nothing, and the member is named", async () => {
  const { client, commands } = connect();
  const failure = (params: object) =>
    client.request("editor/open", { ...params }).catch((error: unknown) => error);
  const wrong = await failure({ path: 7 });
  expect(wrong).toBeInstanceOf(RpcError);
  expect(wrong).toMatchObject({
    ...{ code: -32_602, message: "editor/open: path: expected string, got 7" },
  });
  expect(await failure({})).toMatchObject({ code: -32_602 });
  expect(await failure({ path: "" })).toMatchObject({
    ...{ code: -32_602, message: "editor/open: path: expected some" },
  });
  expect(commands).toEqual([]);
});

test("a command that is not served is an unknown method", async () => {
  const { client } = connect();
  const answer = { id: "1", answer: { kind: "rejected" } } as const;
  const refused = requestCommand(client, { do: "answerDiff", ...answer });
  await expect(refused).rejects.toMatchObject({ code: -32_601 });
});

test("the message of a ToolFailure arrives, and nothing of another error", async () => {
  const failing = async (error: Error) => {
    const { client } = connect(() => {
      throw error;
    });
    return requestCommand(client, { do: "open", path: "a.md" }).catch((failure) => failure);
  };
  expect(await failing(new ToolFailure("a.md does not exist"))).toMatchObject({
    ...{ code: 1, message: "a.md does not exist" },
  });
  expect(await failing(new Error("secret"))).toMatchObject({
    ...{ code: -32_603, message: "Internal error" },
  });
});

test("a result of another command is a protocol error", async () => {
  const { client, served } = connect();
  served.handle("editor/close", () => ({ value: { saved: true } }));
  const closing = requestCommand(client, { do: "close", path: "a.md" });
  await expect(closing).rejects.toMatchObject({ code: "protocol" });
  served.handle("editor/close", () => "220 mail.example ESMTP");
  const again = requestCommand(client, { do: "close", path: "a.md" });
  await expect(again).rejects.toMatchObject({ code: "protocol" });
});

import { expect, test } from "vitest";
import * as client from "./client.ts";
import * as editor from "./index.ts";
import * as rpc from "./rpc.ts";
import * as server from "./server.ts";

test("each entry exports the errors that its users throw and catch, all of them the same classes", () => {
  expect([editor.ToolFailure, server.ToolFailure]).toEqual([rpc.ToolFailure, rpc.ToolFailure]);
  expect([editor.IdewireError, client.IdewireError]).toEqual([rpc.IdewireError, rpc.IdewireError]);
  expect([server.RpcError, client.RpcError]).toEqual([rpc.RpcError, rpc.RpcError]);
});

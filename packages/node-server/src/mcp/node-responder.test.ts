import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { HttpRefusal } from "@idewire/http/internal";
import { expect, onTestFinished, test } from "vitest";
import { NodeResponder } from "./node-responder.ts";

/** The response received from a server that answers every request with `answer`. */
async function answeredBy(answer: (responder: NodeResponder) => void): Promise<Response> {
  const server = createServer((request, response) => answer(new NodeResponder(request, response)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

test("a stream that ends in the turn in which it begins has a length", async () => {
  const response = await answeredBy((responder) => {
    responder.begin({ "x-own": "1" });
    responder.write("data: ä\n\n");
    expect(responder.bufferedAmount).toBeGreaterThan(0);
    responder.write("data: b\n\n");
    responder.end();
    expect(responder.ended).toBe(true);
    responder.write("data: late\n\n");
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(response.headers.get("x-own")).toBe("1");
  expect(response.headers.get("content-length")).toBe("19");
  expect(await response.text()).toBe("data: ä\n\ndata: b\n\n");
});

test("a long answer arrives whole, with its length in bytes", async () => {
  const body = "ä🦊 ".repeat(200_000);
  const response = await answeredBy((responder) => responder.answer(200, { "x-own": "1" }, body));
  expect(response.headers.get("x-own")).toBe("1");
  expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
  expect(await response.text()).toBe(body);
});

test("a long-lived stream reaches the client before its first event", async () => {
  const begun: NodeResponder[] = [];
  const response = await answeredBy((responder) => {
    responder.begin({});
    begun.push(responder);
  });
  expect(response.headers.get("content-length")).toBeNull();
  const [responder] = begun;
  responder?.write("data: a\n\n");
  responder?.write("data: b\n\n");
  responder?.end();
  expect(await response.text()).toBe("data: a\n\ndata: b\n\n");
});

test("a refusal in the turn in which a stream began ends it", async () => {
  const response = await answeredBy((responder) => {
    responder.begin({});
    responder.refuse(new HttpRefusal(400, "Too late"));
  });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("");
});

test("written but unsent data is lost to a disconnected client", async () => {
  const answer = answeredBy((responder) => {
    responder.begin({});
    responder.write("data: a\n\n");
    responder.destroy();
  });
  await expect(answer).rejects.toThrow();
});

import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { portAnswers } from "./liveness.ts";

test("a busy process does not mistake an answering port for a silent one", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { readonly port: number };
  const answers = portAnswers(port);
  for (const end = performance.now() + 700; performance.now() < end; );
  expect(await answers).toBe(true);
});

import { expect, test } from "vitest";
import type { WebSocket } from "ws";
import { passUntil } from "./actions.ts";
import { untilLive } from "./live-fixture.ts";
import { framesOf, useSite } from "./site.ts";
import { admitPage, kinds, openUnauthenticated } from "./unauthenticated.ts";

const site = useSite({ mayComplain: true });

const NOT_IDEWIRE = "does not speak idewire";

/** Sends this answer to each request. */
function answering(answer: object): (socket: WebSocket) => void {
  return (socket) =>
    socket.on("message", (data) => {
      const { id } = JSON.parse(String(data)) as { readonly id: number };
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    });
}

const unauthenticated: Readonly<Record<string, (socket: WebSocket) => void>> = {
  "answers otherwise": answering({ result: "220 mail.example ESMTP" }),
  "gives a key and does not state its kind": answering({ result: { key: "k" } }),
  "has no such method": answering({
    error: { code: -32601, message: "unknown method <b>live/join</b>" },
  }),
};

for (const [what, serve] of Object.entries(unauthenticated)) {
  test(`every page names a server that ${what} as not idewire, and sends it no further requests [playground:bad:other-protocol]`, async () => {
    const connections: string[] = [];
    await Promise.all(
      kinds.map(async (kind) => {
        const receive = (socket: WebSocket): void => {
          connections.push(kind);
          serve(socket);
        };
        const page = await openUnauthenticated(site, receive, { kind, stopped: true });
        await passUntil(page, page.getByTestId("guide").getByText(NOT_IDEWIRE));
        await page.clock.runFor(60_000);
        // The remaining controls work without the server.
        await page.getByRole("button", { name: /^Copy/ }).click();
        await passUntil(page, page.getByText(/^Copied$|copy it by hand/));
      }),
    );
    expect(connections.sort()).toEqual([...kinds].sort());
  });
}

test("a server that sends no JSON and never answers is named as not idewire [playground:bad:other-protocol]", async () => {
  const serve = (socket: WebSocket): void => {
    socket.send("220 mail.example ESMTP\r\n");
    socket.send("<!doctype html>");
    socket.send("[".repeat(5_000));
  };
  for (const kind of kinds) {
    const page = await openUnauthenticated(site, serve, { kind, stopped: true });
    await passUntil(page, page.getByTestId("guide").getByText(NOT_IDEWIRE), 1_000);
  }
});

test("a flood of 50,000 frames leaves the page usable: a click is answered meanwhile [playground:bad:flood]", async () => {
  let flood: (() => void) | undefined;
  const page = await openUnauthenticated(site, (socket) => {
    socket.once("message", (data) => {
      admitPage(socket, String(data));
      flood = () => {
        for (let batch = 0; batch < 500; batch += 1) socket.send(hundredFrames(batch));
      };
    });
  });
  await untilLive(page);
  await page.getByTestId("trace").click();
  flood?.();
  await page.getByTestId("share").click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => framesOf(page)).toBe(50_000);
  await page.getByTestId("filter").fill("id:49999");
  await page.getByText("1 of 50000 frames").waitFor();
});

function hundredFrames(batch: number): string {
  const events = Array.from({ length: 100 }, (_, at) => {
    const n = batch * 100 + at;
    const raw = JSON.stringify({ jsonrpc: "2.0", id: n, method: "ping" });
    return { n: n + 1, t: n, ev: "frame", ch: "c1", dir: "agent>ide", raw };
  });
  return JSON.stringify({ jsonrpc: "2.0", method: "live/events", params: { events } });
}

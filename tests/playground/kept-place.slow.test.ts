import { expect, test } from "vitest";
import { untilLive } from "./live-fixture.ts";
import { framesOf, useSite } from "./site.ts";
import { admitPage, openUnauthenticated } from "./unauthenticated.ts";

const site = useSite({ mayComplain: true });

test("when the oldest frames are dropped, the visible rows stay where they are", async () => {
  let send: (from: number, to: number) => void = () => {};
  const page = await openUnauthenticated(site, (socket) => {
    socket.once("message", (data) => {
      admitPage(socket, String(data));
      send = (from, to) => {
        for (let n = from; n <= to; n += 1) socket.send(longFrame(n));
      };
    });
  });
  await untilLive(page);
  await page.getByTestId("trace").click();
  // A page retains at most 128 million units.
  send(1, 120);
  await expect.poll(() => framesOf(page), { timeout: 40_000 }).toBe(120);
  const list = page.getByRole("grid", { name: "Frames" });
  await list.evaluate((element) => element.scrollTo(0, 60 * 24 + 7));
  const row = page.locator("#frame-65");
  await row.waitFor();
  const place = async () => Math.round((await row.boundingBox())?.y ?? -1);
  const before = await place();
  send(121, 160);
  await expect.poll(() => row.getAttribute("aria-posinset"), { timeout: 40_000 }).not.toBe("65");
  await expect.poll(() => framesOf(page), { timeout: 40_000 }).toBeLessThanOrEqual(128);
  expect(await place()).toBe(before);
  await page.getByRole("button", { name: "Newest" }).click();
  await page.locator("#frame-160").waitFor();
}, 180_000);

function longFrame(n: number): string {
  const event = { n, t: n, ev: "frame", ch: "c1", dir: "agent>ide", raw: "x".repeat(1_000_000) };
  return JSON.stringify({ jsonrpc: "2.0", method: "live/events", params: { events: [event] } });
}

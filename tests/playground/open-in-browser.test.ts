import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { findChromium } from "../../scripts/chromium.mjs";
import { CliRun } from "../src/in-process-cli.ts";
import { fakeOpener } from "../src/opener.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { TERMINAL } from "../src/terminal-context.ts";

/** Whether a ticket is still valid: 101, or the status of a refusal. */
function redeem(origin: string, ticket: string): Promise<number> {
  const names = ["idewire.v1", `idewire.ticket.${ticket}`];
  const socket = new WebSocket(`${origin.replace("http", "ws")}/live`, names, { origin });
  onTestFinished(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("open", () => resolve(101));
    socket.on("unexpected-response", (_, { statusCode = 0 }) => resolve(statusCode));
  });
}

const LINK = /(http:\/\/127\.0\.0\.1:\d+)\/#t=([\w-]{43})/;

function linkIn(text: string): readonly [origin: string, ticket: string] {
  const [, origin = "", ticket = ""] = LINK.exec(text) ?? [];
  return [origin, ticket];
}

/** A command that opens its argument as a person's browser does, with a profile of its own. */
function browser(): string {
  const profile = join(openFixture().root, "profile");
  const flags = "--headless --no-sandbox --disable-gpu --no-first-run --remote-debugging-port=0";
  return `'${findChromium()}' ${flags} --user-data-dir='${profile}' "$1" >/dev/null 2>&1`;
}

test("a browser that opens the forwarding page is admitted, and the printed link stays valid", async () => {
  const fixture = openFixture();
  const { env, opened } = fakeOpener(browser());
  const run = new CliRun(fixture, { args: ["serve", "--web"], terminal: TERMINAL, env });
  await run.shows("#t=");
  await expect.poll(opened).toMatch(/^file:/);
  const [origin, ticket] = linkIn(readFileSync(new URL(String(opened())), "utf8"));
  // Asking for the reason does not use the ticket up.
  const used = async () => {
    const headers = { "idewire-credentials": `idewire.ticket.${ticket}` };
    const answer = await fetch(`${origin}/live/why`, { headers });
    return answer.text();
  };
  await expect.poll(used).toContain("used already");
  const [sameOrigin, printed] = linkIn(run.output);
  expect(sameOrigin).toBe(origin);
  expect(await redeem(origin, printed)).toBe(101);
});

test("a browser that cannot read the page leaves the printed link valid", async () => {
  const fixture = openFixture();
  const { env, opened } = fakeOpener("false");
  const run = new CliRun(fixture, { args: ["serve", "--web"], terminal: TERMINAL, env });
  await run.shows("#t=");
  await expect.poll(opened).toMatch(/^file:/);
  expect(await redeem(...linkIn(run.output))).toBe(101);
});

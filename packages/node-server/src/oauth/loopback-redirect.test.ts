import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { text as readAll } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { loopbackRedirect } from "./loopback-redirect.ts";

const authorizationUrl = "https://as.example.com/authorize?state=s1";

async function open(show: (url: string) => unknown = () => undefined, timeoutMs?: number) {
  const options = { show, ...(timeoutMs !== undefined && { timeoutMs }) };
  return loopbackRedirect(options)(undefined);
}

test("the person is shown the address, and the redirect is what visit resolves with", async () => {
  const show = vi.fn();
  const target = await open(show);
  const visit = target.visit(authorizationUrl);
  const loading = fetch(`${target.uri}?state=s1&code=c1`);
  expect(await visit).toBe(`${target.uri}?state=s1&code=c1`);
  expect(show).toHaveBeenCalledWith(authorizationUrl);
  await target.close();
  const page = await loading;
  const html = await page.text();
  expect(html).toContain("You are logged in. You may close this page.");
  expect(page.headers.get("cache-control")).toBe("no-store");
  const style = /<style>(.*)<\/style>/.exec(html)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(page.headers.get("content-security-policy")).toContain(`style-src 'sha256-${hash}'`);
});

test("the page shows nothing before the login has ended, and then its outcome, as plain text", async () => {
  const target = await open();
  const visit = target.visit(authorizationUrl);
  const answered = vi.fn();
  const loading = fetch(`${target.uri}?state=s1&code=c1`).finally(answered);
  await visit;
  await new Promise((resolve) => setImmediate(resolve));
  expect(answered).not.toHaveBeenCalled();
  await target.close(new Error("invalid_grant: <b>too\u001b[2J late\u202e &\n more"));
  const text = await (await loading).text();
  expect(text).toContain(
    "You are not logged in. invalid_grant: &lt;b>too [2J late &amp; more. You may close this page.",
  );
});

test("of two attempts in one login the first page is released, and the second gets the outcome", async () => {
  const target = await open();
  const first = target.visit(authorizationUrl);
  const loading = fetch(`${target.uri}?state=s1&code=c1`);
  await first;
  const second = target.visit(authorizationUrl.replace("s1", "s2"));
  expect(await (await loading).text()).toContain("continues on another page");
  const last = fetch(`${target.uri}?state=s2&code=c2`);
  expect(await second).toContain("code=c2");
  await target.close();
  expect(await (await last).text()).toContain("You are logged in");
});

test.each([
  ["another state", "?state=s2&code=stolen", {}],
  ["no state", "?code=stolen", {}],
  ["another path", "/more?state=s1&code=stolen", {}],
  ["a POST", "?state=s1&code=stolen", { method: "POST" }],
])("%s is refused, and the login continues", async (_, suffix, init) => {
  const target = await open();
  const visit = target.visit(authorizationUrl);
  const refused = await fetch(target.uri + suffix, init);
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining("not the login that was started here"),
  ]);
  const loading = fetch(`${target.uri}?state=s1&code=c1`);
  expect(await visit).toContain("code=c1");
  await target.close();
  await loading;
});

/** A browser that has connected, and sends its request later, or never. */
async function openConnection(uri: string) {
  const { port, host, pathname } = new URL(uri);
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  return {
    ask: (query: string) =>
      socket.write(`GET ${pathname}?${query} HTTP/1.1\r\nhost: ${host}\r\n\r\n`),
    received: readAll(socket),
  };
}

test("a second answer changes nothing, and gets the outcome even after close", async () => {
  const target = await open();
  const second = await openConnection(target.uri);
  const visit = target.visit(authorizationUrl);
  const loading = fetch(`${target.uri}?state=s1&code=c1`);
  expect(await visit).toContain("code=c1");
  second.ask("state=s1&code=c2");
  const closed = target.close();
  expect(await second.received).toContain("You are logged in.");
  await closed;
  await loading;
  expect(await visit).toContain("code=c1");
  await expect(fetch(target.uri)).rejects.toThrow();
});

test("an idle connection does not delay close", async () => {
  const target = await open();
  const silent = await openConnection(target.uri);
  const visit = target.visit(authorizationUrl);
  const loading = fetch(`${target.uri}?state=s1&code=c1`);
  await visit;
  await target.close();
  expect(await silent.received).toBe("");
  expect(await (await loading).text()).toContain("You are logged in.");
});

test("a pasted address works like a redirect", async () => {
  const target = await open(async () => " http://127.0.0.1:1/callback?state=s1&code=c1\n");
  expect(await target.visit(authorizationUrl)).toBe("http://127.0.0.1:1/callback?state=s1&code=c1");
  await target.close();
});

test("pasted text that is not an address is refused without being repeated", async () => {
  const target = await open(async () => "code=c1");
  const message = "The pasted text is not an address";
  await expect(target.visit(authorizationUrl)).rejects.toMatchObject({ message });
  await target.close();
});

test("the registered port is used again if it is free, else another", async () => {
  const first = await open();
  const other = await loopbackRedirect({ show: () => undefined })(first.uri);
  expect(other.uri).not.toBe(first.uri);
  await first.close();
  const again = await loopbackRedirect({ show: () => undefined })(first.uri);
  expect(again.uri).toBe(first.uri);
  await Promise.all([other.close(), again.close()]);
});

test("a given port is the only one: when it is in use, there is no login", async () => {
  const first = await open();
  const port = Number(new URL(first.uri).port);
  const fixed = loopbackRedirect({ show: () => undefined, port });
  await expect(fixed(undefined)).rejects.toMatchObject({ code: "port-in-use" });
  await first.close();
  // The redirect registered before does not matter.
  const second = await fixed("http://127.0.0.1:1/callback");
  expect(second.uri).toBe(`http://127.0.0.1:${port}/callback`);
  await second.close();
});

test("a login without a redirect times out", async () => {
  const target = await open(() => undefined, 50);
  await expect(target.visit(authorizationUrl)).rejects.toMatchObject({
    code: "timeout",
    message: "No login within 0.05 s",
  });
  await target.close();
});

test("a visit in progress ends with close, and does not keep the process alive", async () => {
  const target = await open();
  const visit = target.visit(authorizationUrl);
  await Promise.all([expect(visit).rejects.toMatchObject({ code: "cancelled" }), target.close()]);
});

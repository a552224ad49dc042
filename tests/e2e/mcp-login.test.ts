import { expect, onTestFinished, test } from "vitest";
import { AuthorizationFixture } from "../src/authorization-fixture.ts";
import { CliRun, type CliRunOptions } from "../src/in-process-cli.ts";
import { fakeOpener } from "../src/opener.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { TERMINAL } from "../src/terminal-context.ts";

async function open() {
  const servers = await new AuthorizationFixture().listen();
  onTestFinished(() => servers[Symbol.asyncDispose]());
  const fixture = openFixture();
  const { url } = servers.server;
  const start = (action: string, options: Partial<CliRunOptions> = {}) =>
    new CliRun(fixture, { args: ["mcp", ...action.split(" "), url], ...options });
  return { servers, start, host: new URL(url).host };
}

/** The address for the person to visit. */
async function shownAddress(run: CliRun): Promise<string> {
  const pattern = /visit\s+(http\S+)\n/;
  await expect.poll(() => run.errors).toMatch(pattern);
  return pattern.exec(run.errors)?.[1] ?? "";
}

test.each([
  ["its tokens", false],
  ["its tokens, and the key that they are bound to", true],
])("after one login the other actions have %s, until the logout", async (_, binds) => {
  const { servers, start, host } = await open();
  servers.knobs.binds = binds;
  const login = start("login");
  const page = await fetch(await shownAddress(login));
  expect(await page.text()).toContain("You are logged in");
  expect([await login.exited, login.output]).toEqual([0, `Logged in to ${host}.\n`]);

  const called = start("call anything");
  expect([await called.exited, called.output, called.errors]).toEqual([0, "admitted\n", ""]);
  expect(servers.visits).toHaveLength(1);

  const logout = start("logout");
  expect([await logout.exited, logout.output]).toEqual([0, `Logged out of ${host}.\n`]);
  expect([servers.refreshTokens.size, servers.accessTokens.size]).toEqual([0, 0]);
  const again = start("logout");
  expect([await again.exited, again.output]).toEqual([0, `You were not logged in to ${host}.\n`]);
  const refused = start("call anything");
  expect(await refused.exited).toBe(1);
  expect(refused.errors).toContain("Log in first: idewire mcp login <url>");
  const printed = [login, called, logout, refused].map(({ output, errors }) => output + errors);
  for (const secret of servers.secrets) expect(printed.join("")).not.toContain(secret);
});

test("a logout that does not reach the authorization server reports that, and deletes the tokens", async () => {
  const { servers, start, host } = await open();
  const login = start("login");
  await fetch(await shownAddress(login));
  await login.exited;
  const words = `Not ${[...servers.refreshTokens.keys()][0]}!\u001b[31m`;
  servers.knobs.revocation = () => ({
    status: 400,
    body: { error: "invalid_request", error_description: words },
  });
  const logout = start("logout");
  expect([await logout.exited, logout.output, logout.errors]).toEqual([
    ...[0, `Logged out of ${host}.\n`],
    "The tokens are deleted here, but were not revoked there: invalid_request: Not …![31m\n",
  ]);
  expect(await start("logout").exited).toBe(0);
  const again = start("logout");
  expect([await again.exited, again.output]).toEqual([0, `You were not logged in to ${host}.\n`]);
});

test("without a browser, the address of the redirect may be pasted", async () => {
  const { start } = await open();
  const run = start("call anything", { terminal: TERMINAL, env: { TERM: "xterm" } });
  // The command wraps the address to the terminal's width.
  await expect.poll(() => run.errors).toContain("Address: ");
  const [, shown = ""] = /visit\s+(http[\s\S]+?)\nIf the browser/.exec(run.errors) ?? [];
  const answer = await fetch(shown.replace(/\s+/g, ""), { redirect: "manual" });
  for (const slip of ["", "http://127.0.0.1:1/callback?state=another&code=c"]) {
    run.type(slip);
  }
  await expect.poll(() => run.errors.split("Not the address of this login").length).toBe(3);
  run.type(answer.headers.get("location") ?? "");
  expect([await run.exited, run.output]).toEqual([0, "| admitted\n"]);
});

test("Ctrl-D at its question cancels a login", async () => {
  const { start } = await open();
  const run = start("login", { terminal: TERMINAL, env: { TERM: "xterm" } });
  await expect.poll(() => run.errors).toContain("Address: ");
  run.stdin.write("\u0004");
  expect(await run.exited).toBe(1);
  expect(run.errors).toContain("The login was cancelled");
});

test("with a browser, it opens the address, which is not an argument of a process", async () => {
  const { start } = await open();
  const opener = fakeOpener();
  const run = start("login", { env: opener.env });
  await expect.poll(() => opener.opened()).toMatch(/^file:/);
  await fetch(await shownAddress(run));
  expect(await run.exited).toBe(0);
});

test("an interrupted login leaves no listener", async () => {
  const { start } = await open();
  const run = start("login");
  const address = new URL(await shownAddress(run));
  run.signal("SIGINT");
  expect(await run.exited).toBe(130);
  const callback = address.searchParams.get("redirect_uri") ?? "";
  await expect
    .poll(() =>
      fetch(callback).then(
        () => "answers",
        () => "silent",
      ),
    )
    .toBe("silent");
});

test("a refusal is shown in the server's words", async () => {
  const { servers, start } = await open();
  servers.knobs.redirect = {
    code: undefined,
    ...{ error: "access_denied", error_description: "not\u001b[2J\u2028 you" },
  };
  const run = start("login");
  const page = await fetch(await shownAddress(run));
  const refusal = "The authorization server refused: access_denied: not[2J you";
  expect(await page.text()).toContain(`You are not logged in. ${refusal}.`);
  expect(await run.exited).toBe(1);
  const message = run.errors.slice(run.errors.indexOf("idewire: "));
  expect(message).toBe(`idewire: ${refusal}\n`);
});

test("a code for which the server issues no tokens is not a login, in the browser either", async () => {
  const { servers, start, host } = await open();
  servers.knobs.token = () => ({ status: 400, body: { error: "invalid_grant" } });
  const run = start("login");
  const page = await fetch(await shownAddress(run));
  expect(await page.text()).toMatch(/You are not logged in\. [^<]*invalid_grant/);
  expect(await run.exited).toBe(1);
  expect(run.errors).toContain(`To log in to ${host}, visit `);
});

test("a callback of another login is rejected, and of two of this one the first counts", async () => {
  const { servers, start, host } = await open();
  const run = start("login");
  const answer = await fetch(await shownAddress(run), { redirect: "manual" });
  const callback = new URL(answer.headers.get("location") ?? "");
  const withParameters = (parameters: Readonly<Record<string, string>>) => {
    const changed = new URL(callback);
    for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value);
    return changed;
  };
  for (const error of [{}, { error: "access_denied" }]) {
    const page = await fetch(withParameters({ state: "of another", code: "stolen", ...error }));
    expect([page.status, await page.text()]).toEqual([
      400,
      expect.stringContaining("not the login"),
    ]);
  }
  expect((await fetch(callback)).status).toBe(200);
  // The redirect's listener may have closed by now.
  await fetch(withParameters({ code: "of the second" })).catch(() => undefined);
  expect([await run.exited, run.output]).toEqual([0, `Logged in to ${host}.\n`]);
  const exchanges = servers.issuer.seen.filter(({ path }) => path === "/token");
  expect(exchanges.map(({ body }) => new URLSearchParams(body).get("code"))).toEqual([
    callback.searchParams.get("code"),
  ]);
});

test("the logins of two profiles at one address are separate, in the logout too", async () => {
  const { servers, start, host } = await open();
  const tokens: string[] = [];
  for (const profile of ["", " --profile work"]) {
    const login = start(`login${profile}`);
    await fetch(await shownAddress(login));
    expect(await login.exited).toBe(0);
    const called = start(`call anything${profile}`);
    expect([await called.exited, called.output]).toEqual([0, "admitted\n"]);
    const used = servers.server.seen.at(-1)?.headers.authorization ?? "";
    tokens.push(used);
  }
  expect(new Set(tokens).size).toBe(2);
  const logout = start("logout --profile work");
  expect([await logout.exited, logout.output]).toEqual([0, `Logged out of ${host}.\n`]);
  expect(await start("call anything").exited).toBe(0);
  const refused = start("call anything --profile work");
  expect(await refused.exited).toBe(1);
  expect(refused.errors).toContain("Log in first: idewire mcp login --profile work <url>");
});

test("a further scope, or another client, needs a login of its own", async () => {
  const { servers, start } = await open();
  servers.knobs.metadata = { registration_endpoint: undefined };
  servers.clients.add("by-hand").add("another");
  for (const flags of ["--client-id by-hand", "--scope read", "--client-id another --scope read"]) {
    const login = start(`login --client-id by-hand ${flags}`);
    await fetch(await shownAddress(login));
    expect([flags, await login.exited]).toEqual([flags, 0]);
  }
  const again = start("login --client-id another --scope read");
  expect(await again.exited).toBe(0);
  const requested = servers.visits.map((visit) => [visit.get("client_id"), visit.get("scope")]);
  expect(requested).toEqual([
    ["by-hand", null],
    ["by-hand", "read"],
    ["another", "read"],
  ]);
});

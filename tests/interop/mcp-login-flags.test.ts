import { expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { open as openServers } from "./protected-server.ts";
import { enterCode } from "./real-authorization-server.ts";

const machine = {
  client_id: "a-machine",
  client_secret: "a secret of the machine",
  grant_types: ["client_credentials"],
  ...{ redirect_uris: [], response_types: [], token_endpoint_auth_method: "client_secret_basic" },
};

async function open() {
  const servers = await openServers("jwt", {}, { clients: [machine] });
  const fixture = openFixture();
  const start = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    new CliRun(fixture, { args: ["mcp", ...args, servers.audience], env });
  return { ...servers, start };
}

test("a person logs in by a code on another device, for all later commands", async () => {
  const { start, audience } = await open();
  const login = start({}, "login", "--device", "--scope", "write");
  const pattern = /visit (\S+) on any device,\nand enter the code (\S+)\n/;
  await expect.poll(() => login.errors).toMatch(pattern);
  const [, address = "", code = ""] = pattern.exec(login.errors) ?? [];
  await enterCode(address, code);
  expect([await login.exited, login.output]).toEqual([
    ...[0, `Logged in to ${new URL(audience).host}.\n`],
  ]);
  const called = start({}, "call", "write");
  expect([await called.exited, called.output]).toEqual([0, "ann: write\n"]);
});

test("a stopped command does not wait for the code", async () => {
  const { start } = await open();
  const login = start({}, "login", "--device");
  await expect.poll(() => login.errors).toContain("enter the code");
  login.signal("SIGINT");
  expect(await login.exited).toBe(130);
});

test("a program is authorized by its secret, which only its issuer is sent and nothing shows", async () => {
  const { start, issuer } = await open();
  const env = { MACHINE: machine.client_secret };
  const client = ["--client-id", machine.client_id, "--client-secret-env", "MACHINE"];
  const flags = [...client, "--client-credentials", "--scope", "read"];
  const called = start(env, "call", "who", ...flags, "--issuer", issuer);
  expect([await called.exited, called.output]).toEqual([0, "a-machine: read\n"]);
  // Nothing is stored.
  const later = start({}, "call", "who");
  expect(await later.exited).toBe(1);
  const other = start(env, "call", "who", ...flags, "--issuer", "https://other.example.com");
  expect(await other.exited).toBe(1);
  expect(other.errors.replace(/\s+/g, " ")).toContain(`names ${issuer}, expected https://other`);
  const wrong = start({ MACHINE: "wrong" }, "call", "who", ...flags, "--issuer", issuer);
  expect(await wrong.exited).toBe(1);
  expect(wrong.errors).toContain("invalid_client");
  for (const { output, errors } of [called, later, other, wrong]) {
    expect(output + errors).not.toContain(machine.client_secret);
  }
});

test.each([
  [["--client-secret-env", "NONE"], "the variable NONE is not set"],
  [["--client-credentials"], "--client-credentials needs --client-id"],
  [["--client-id", "a", "--client-secret-env", "HOME"], "--client-secret-env needs --issuer"],
  [["--header-env", "X-Key: NONE"], "the variable NONE is not set"],
  [["--header-env", "X-Key: sk-live-1"], "the variable for X-Key is not set"],
  [["--header-env", "sk-live-1"], '--header-env takes "Name: VARIABLE"'],
  [["--cert", "a.pem"], "--cert needs --key"],
  [["--cacert", "none.pem"], "--cacert: ENOENT"],
  [["--profile", "a b"], "--profile takes 1 to 64 characters"],
  [["--hide-tools", ""], '--hide-tools: "" is not a glob'],
])("a wrong command line such as %j is named", async (flags, message) => {
  const args = ["mcp", "tools", ...flags, "https://mcp.example.com"];
  const run = new CliRun(openFixture(), { args });
  expect(await run.exited).toBe(2);
  expect(run.errors).toContain(message);
  expect(run.errors).not.toContain("sk-live-1");
});

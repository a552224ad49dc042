import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Authorization } from "@idewire/http";
import { createDpop, createOAuth } from "@idewire/http/oauth";
import { createCredentialFiles } from "@idewire/node-server/oauth";
import { expect, onTestFinished, test } from "vitest";
import { AuthorizationFixture, agreeingPerson } from "../src/authorization-fixture.ts";

/** @returns the credentials for a request, after a login if there are none */
async function credentialsFor(authorization: Authorization, url: string): Promise<Headers> {
  const method = "POST";
  let last = new Headers();
  await authorization.send({ method, url: new URL(url) }, async (credentials) => {
    last = credentials;
    return credentials.has("authorization") ? new Response() : fetch(url, { method });
  });
  return last;
}

test("a damaged stored key is named with its file, and used once it is repaired", async () => {
  await using fixture = await new AuthorizationFixture().listen();
  fixture.knobs.binds = true;
  const { url } = fixture.server;
  const directory = await mkdtemp(join(tmpdir(), "idewire-dpop-"));
  onTestFinished(() => rm(directory, { recursive: true, maxRetries: 10 }));
  const store = createCredentialFiles({ directory });
  const connect = () =>
    createOAuth({ url, store, openRedirectTarget: agreeingPerson, dpop: createDpop() });
  await credentialsFor(connect(), url);
  const [name = ""] = (await readdir(directory)).filter((each) => each.endsWith(".json"));
  const file = join(directory, name);
  const whole = await readFile(file, "utf8");
  const kept = JSON.parse(whole);
  kept.credentials.tokens.key.x = "a";
  await writeFile(file, JSON.stringify(kept));
  const authorization = connect();
  const credentials = () => credentialsFor(authorization, url);
  await expect(credentials()).rejects.toThrow(`${file}: The stored key of the tokens is damaged`);
  await expect(credentials()).rejects.toThrow("log out, and log in again");
  await writeFile(file, whole);
  expect((await credentials()).get("authorization")).toMatch(/^DPoP access-/);
});

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { TrustedIssuers } from "./trusted-issuers.ts";

/** An issuer on this machine whose metadata refers to these keys. */
async function listen(keys: (origin: string) => string): Promise<string> {
  const server = createServer((_, response) => {
    const metadata = { issuer: origin, jwks_uri: keys(origin) };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadata));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => void server.close());
  return origin;
}

test("an issuer's keys are fetched over TLS, or from this machine if the issuer is local", async () => {
  for (const place of [(origin: string) => `${origin}/jwks`, () => "https://as.example.com/jwks"]) {
    const issuer = await listen(place);
    expect((await new TrustedIssuers([issuer]).get(issuer)).keys).toBeTypeOf("function");
  }
});

test.each(["http://as.example.com/jwks", "http://10.0.0.1/jwks", "file:///etc/keys", "data:,{}"])(
  "keys at %s are refused",
  async (place) => {
    const issuer = await listen(() => place);
    await expect(new TrustedIssuers([issuer]).get(issuer)).rejects.toMatchObject({
      cause: { message: `The metadata names keys without TLS, at ${place}` },
    });
  },
);

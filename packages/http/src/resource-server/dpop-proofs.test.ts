import { createHash, randomUUID } from "node:crypto";
import { memoryStore } from "@idewire/core/server";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, expect, test, vi } from "vitest";
import { DpopProofs } from "./dpop-proofs.ts";

afterEach(() => void vi.useRealTimers());

async function makeProof(startMs: number) {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwk = await exportJWK(publicKey);
  const url = "https://example.com/mcp";
  const ath = createHash("sha256").update("token").digest("base64url");
  // The client's clock is ahead by the maximum allowed.
  const dpop = await new SignJWT({ jti: randomUUID(), htm: "POST", htu: url, ath })
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk })
    .setIssuedAt(startMs / 1000 + 5)
    .sign(privateKey);
  const header = (name: string) => (name === "dpop" ? dpop : undefined);
  const head = { method: "POST", path: "/mcp", query: "", header };
  const thumbprint = await calculateJwkThumbprint(jwk);
  return { head, url, token: "token", thumbprint };
}

test("instances that share a store accept a proof once, and none while the store is unavailable", async () => {
  const proof = await makeProof(Math.floor(Date.now() / 1000) * 1000);
  const { replays } = memoryStore();
  const [one, two] = [new DpopProofs(5, replays), new DpopProofs(5, replays)];
  await one.verify(proof);
  await expect(two.verify(proof)).rejects.toThrow("used before");
  const away = new DpopProofs(5, { seen: () => Promise.reject(new Error("away")) });
  await expect(away.verify(proof)).rejects.toMatchObject({ code: "unavailable" });
});

test("a proof is accepted once while it is valid, to the end of its last second", async () => {
  const startMs = 1_800_000_000_000;
  vi.useFakeTimers({ toFake: ["Date"], now: startMs });
  const proof = await makeProof(startMs);
  const proofs = new DpopProofs(5);
  const verify = () => proofs.verify(proof);
  await verify();
  for (const afterMs of [0, 69_999, 70_500, 70_999]) {
    vi.setSystemTime(startMs + afterMs);
    await expect(verify()).rejects.toThrow("used before");
  }
  vi.setSystemTime(startMs + 71_000);
  await expect(verify()).rejects.toThrow("too old");
});

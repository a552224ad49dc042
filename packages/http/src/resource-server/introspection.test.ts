import type { JWTPayload } from "jose";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sha256 } from "../sha256.ts";
import { Introspection } from "./introspection.ts";
import { type KnownIssuer, TrustedIssuers } from "./trusted-issuers.ts";

const issuer = { issuer: "https://as.example.com" } as KnownIssuer;
const client = { clientId: "me", clientSecret: "of the tests only" };

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 }));
afterEach(() => void vi.useRealTimers());

/** Resolves after all pending callbacks have run. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** An issuer of some tokens, which answers on demand. */
function introspected(known: ReadonlySet<string>, cacheMs = 10_000) {
  const waiting: (() => void)[] = [];
  const tokens: string[] = [];
  const fixture = { tokens, most: 0, isSlow: false, fails: false };
  const ask = async (_: KnownIssuer, token: string): Promise<JWTPayload | undefined> => {
    tokens.push(token);
    if (fixture.isSlow) {
      const answered = new Promise<void>((resolve) => waiting.push(resolve));
      fixture.most = Math.max(fixture.most, waiting.length);
      await answered;
    }
    if (fixture.fails) throw new Error("away");
    return known.has(token) ? { sub: token } : undefined;
  };
  const introspection = new Introspection(cacheMs, ask);
  const claimsOf = (token: string) => introspection.claimsOf(issuer, token);
  /** Answers until no request is pending. */
  const answerAll = async () => {
    for (;;) {
      await turn();
      if (waiting.length === 0) return;
      for (const answer of waiting.splice(0)) answer();
    }
  };
  return Object.assign(fixture, { claimsOf, answerAll });
}

test("an answer is cached for the stated time, whether good or bad, and no longer", async () => {
  const issuerOf = introspected(new Set(["good"]));
  const ask = async () => [await issuerOf.claimsOf("good"), await issuerOf.claimsOf("bad")];
  for (const afterMs of [0, 9_999]) {
    vi.setSystemTime(1_800_000_000_000 + afterMs);
    expect(await ask()).toEqual([{ sub: "good" }, undefined]);
  }
  expect(issuerOf.tokens).toEqual(["good", "bad"]);
  vi.setSystemTime(1_800_000_010_000);
  await ask();
  expect(issuerOf.tokens).toHaveLength(4);
});

test("without a stated time the issuer is queried each time", async () => {
  const issuerOf = introspected(new Set(["good"]), 0);
  await issuerOf.claimsOf("good");
  await issuerOf.claimsOf("good");
  expect(issuerOf.tokens).toHaveLength(2);
});

test("concurrent requests with one token cause one introspection", async () => {
  const issuerOf = introspected(new Set(["good"]));
  const all = await Promise.all(Array.from({ length: 1_000 }, () => issuerOf.claimsOf("good")));
  expect([issuerOf.tokens.length, new Set(all).size]).toEqual([1, 1]);
});

test("a failure is not an answer", async () => {
  const issuerOf = introspected(new Set(["good"]));
  issuerOf.fails = true;
  await expect(issuerOf.claimsOf("good")).rejects.toThrow("away");
  issuerOf.fails = false;
  expect(await issuerOf.claimsOf("good")).toEqual({ sub: "good" });
});

test("a flood of invented tokens causes 32 concurrent requests, and those beyond 1,000 are rejected for now", async () => {
  const issuerOf = introspected(new Set(["good"]));
  await issuerOf.claimsOf("good");
  issuerOf.isSlow = true;
  let rejected = 0;
  const invented = Array.from({ length: 5_000 }, (_, index) => {
    const claims = issuerOf.claimsOf(`invented ${index}`);
    claims.catch(() => {
      rejected += 1;
    });
    return claims;
  });
  const flood = Promise.allSettled(invented);
  while (rejected < 5_000 - 32 - 1_000) await turn();
  vi.setSystemTime(1_800_000_010_000);
  const before = issuerOf.tokens.length;
  const good = issuerOf.claimsOf("good");
  // Wait until the hash of the token has been computed.
  await sha256("good");
  await issuerOf.answerAll();
  expect(await good).toEqual({ sub: "good" });
  expect(issuerOf.tokens[before]).toBe("good");
  const refused = (await flood).flatMap((each) => (each.status === "rejected" ? each.reason : []));
  expect(refused).toHaveLength(5_000 - 32 - 1_000);
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["unavailable"]));
  expect(issuerOf.most).toBe(32);
  expect(issuerOf.tokens).toHaveLength(1 + 32 + 1_000 + 1);
});

test("20,000 bad tokens evict no good one", async () => {
  const issuerOf = introspected(new Set(["good"]));
  await issuerOf.claimsOf("good");
  for (let index = 0; index < 20_000; index += 1) await issuerOf.claimsOf(`invented ${index}`);
  const before = issuerOf.tokens.length;
  await issuerOf.claimsOf("good");
  // The oldest bad tokens are no longer cached, the newest still are.
  await issuerOf.claimsOf("invented 0");
  await issuerOf.claimsOf("invented 19999");
  expect(issuerOf.tokens.slice(before)).toEqual(["invented 0"]);
});

test("an opaque token is sent only to its issuer, recognised by its prefix", () => {
  const introspecting = (issuer: string, tokenPrefix?: string) => ({
    issuer,
    introspection: { ...client, ...(tokenPrefix !== undefined && { tokenPrefix }) },
  });
  const [a, b, c] = ["https://a.example.com", "https://b.example.com", "https://c.example.com"];
  const issuers = new TrustedIssuers([
    ...[introspecting(a, "a_"), introspecting(b, "a_b_"), "https://jwt.example.com"],
  ]);
  const shown = ["a_1", "a_b_1", "b_1", ""].map((token) => issuers.introspectionFor(token)?.issuer);
  expect(shown).toEqual([a, b, undefined, undefined]);
  const withRest = new TrustedIssuers([introspecting(c), introspecting(a, "a_")]);
  expect(withRest.introspectionFor("b_1")?.issuer).toBe(c);
  for (const pair of [
    [introspecting(a), introspecting(b)],
    [introspecting(a, "x"), introspecting(b, "x")],
  ]) {
    expect(() => new TrustedIssuers(pair)).toThrow(`${a} and ${b} are asked about the same tokens`);
  }
});

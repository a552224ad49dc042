import { expect, test } from "vitest";
import { describeValue } from "../text/describe-value.ts";
import { createMemoryTransportPair } from "./memory-transport.ts";
import { Peer } from "./peer.ts";
import type { Redactor } from "./redactor.ts";

const secret = "secret-0123456789";

/** Hides the secret in strings and names of members. */
function hiding(secret: string): Redactor & { longest: number } {
  return {
    longest: 0,
    redact<T>(value: T): T {
      const text = JSON.stringify(value);
      this.longest = Math.max(this.longest, text.length);
      return JSON.parse(text.replaceAll(secret, "…")) as T;
    },
  };
}

test("a value is shown without its secrets", () => {
  expect(describeValue({ [secret]: secret }, hiding(secret))).toBe('{"…":"…"}');
});

test("secrets are searched for only at the start of a long value", () => {
  const redactor = hiding(secret);
  expect(describeValue(["x".repeat(1_000_000)], redactor)).toMatch(/^\["x{57}…$/);
  expect(redactor.longest).toBeLessThan(70_000);
});

test("of a long value full of secrets, none is shown in part", () => {
  for (const length of [100, 16_000, 32_000]) {
    const long = "secret-".padEnd(length, "0123456789");
    expect(describeValue(long.repeat(1_000), hiding(long))).not.toContain("secret");
  }
});

test("redaction does not affect what a handler receives", async () => {
  const [transport, other] = createMemoryTransportPair();
  const refused: string[] = [];
  const handled: unknown[] = [];
  const onrefused = (why: string) => refused.push(why);
  const peer = new Peer(Object.assign(transport, hiding(secret)), { onrefused });
  peer.handle("note", ({ params }) => void handled.push(params));
  const deep = `${"[".repeat(300)}${"]".repeat(300)}`;
  // Both members have one name once the secret is hidden.
  other.send(`{"jsonrpc":"2.0","method":"note","params":{"${secret}":${deep},"…":1}}`);
  await expect
    .poll(() => refused)
    .toEqual(["Invalid params: expected at most 200 levels, got more"]);
  expect(handled).toEqual([]);
  peer.close();
});

import { expect, test } from "vitest";
import { NegotiatedParameters } from "./negotiated-parameters.ts";

const client = { name: "c", version: "1" };

test("clients that announce the same share one value", () => {
  const negotiated = new NegotiatedParameters();
  const first = negotiated.of("2025-11-25", client, { roots: {} });
  expect(first).toMatchObject({ clientCapabilities: { roots: {} }, initialized: false });
  expect(negotiated.of("2025-11-25", { ...client }, { roots: {} })).toBe(first);
  expect(negotiated.of("2025-11-25", client, {})).not.toBe(first);
  expect(negotiated.of("2025-06-18", client, { roots: {} })).not.toBe(first);
  expect(negotiated.of("2025-11-25", { ...client, version: "2" }, { roots: {} })).not.toBe(first);
});

test.each([undefined, null, 5, [], "x"])(
  "a client that announces %j has no capabilities",
  (announced) => {
    const { clientCapabilities } = new NegotiatedParameters().of("2025-11-25", client, announced);
    expect(clientCapabilities).toEqual({});
  },
);

test("many different or large announcements are not cached", () => {
  const negotiated = new NegotiatedParameters();
  const of = (announced: unknown) => negotiated.of("2025-11-25", client, announced);
  const long = { experimental: { text: "x".repeat(2000) } };
  expect(of(long)).not.toBe(of(long));
  for (let n = 0; n < 64; n += 1) of({ n });
  const late = { late: true };
  expect(of(late)).toEqual(of(late));
  expect(of(late)).not.toBe(of(late));
});

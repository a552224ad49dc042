import { expect, test } from "vitest";
import { NegotiatedParameters } from "./negotiated-parameters.ts";

test("clients that announce the same share one agreement", () => {
  const negotiated = new NegotiatedParameters();
  const first = negotiated.of("2025-11-25", { roots: {} });
  expect(first.clientCapabilities).toEqual({ roots: {} });
  expect(negotiated.of("2025-11-25", { roots: {} })).toBe(first);
  expect(negotiated.of("2025-11-25", {})).not.toBe(first);
  expect(negotiated.of("2025-06-18", { roots: {} })).not.toBe(first);
});

test.each([undefined, null, 5, [], "x"])(
  "a client that announces %j can do nothing",
  (announced) => {
    expect(new NegotiatedParameters().of("2025-11-25", announced).clientCapabilities).toEqual({});
  },
);

test("many different or large announcements are not kept", () => {
  const negotiated = new NegotiatedParameters();
  const long = { experimental: { text: "x".repeat(2000) } };
  expect(negotiated.of("2025-11-25", long)).not.toBe(negotiated.of("2025-11-25", long));
  for (let n = 0; n < 64; n += 1) negotiated.of("2025-11-25", { n });
  const late = { late: true };
  expect(negotiated.of("2025-11-25", late)).toEqual(negotiated.of("2025-11-25", late));
  expect(negotiated.of("2025-11-25", late)).not.toBe(negotiated.of("2025-11-25", late));
});

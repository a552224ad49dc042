import { expect, test } from "vitest";
import { Agreements } from "./agreements.ts";

test("clients that say the same share one agreement", () => {
  const agreements = new Agreements();
  const first = agreements.of("2025-11-25", { roots: {} });
  expect(first.clientCapabilities).toEqual({ roots: {} });
  expect(agreements.of("2025-11-25", { roots: {} })).toBe(first);
  expect(agreements.of("2025-11-25", {})).not.toBe(first);
  expect(agreements.of("2025-06-18", { roots: {} })).not.toBe(first);
});

test.each([undefined, null, 5, [], "x"])(
  "a client that announces %j can do nothing",
  (announced) => {
    expect(new Agreements().of("2025-11-25", announced).clientCapabilities).toEqual({});
  },
);

test("clients that all say something else, or say much, fill no memory", () => {
  const agreements = new Agreements();
  const long = { experimental: { text: "x".repeat(2000) } };
  expect(agreements.of("2025-11-25", long)).not.toBe(agreements.of("2025-11-25", long));
  for (let n = 0; n < 64; n += 1) agreements.of("2025-11-25", { n });
  const late = { late: true };
  expect(agreements.of("2025-11-25", late)).toEqual(agreements.of("2025-11-25", late));
  expect(agreements.of("2025-11-25", late)).not.toBe(agreements.of("2025-11-25", late));
});

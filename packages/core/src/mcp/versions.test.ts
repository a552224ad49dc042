import { expect, test } from "vitest";
import {
  isLegacyRevision,
  legacyRevisions,
  modernRevision,
  negotiateRevision,
  newestLegacyRevision,
  revisions,
} from "./versions.ts";

test("there are five revisions, and only the newest is stateless", () => {
  expect(Object.keys(revisions)).toEqual([...Object.keys(legacyRevisions), modernRevision]);
  const stateless = Object.values(revisions).map((traits) => traits.stateless);
  expect(stateless).toEqual([false, false, false, false, true]);
});

test("only 2025-03-26 has batches, and only 2025-11-25 ids of elicitations", () => {
  const having = (trait: "batches" | "elicitationIds") =>
    Object.entries(revisions).flatMap(([revision, traits]) => (traits[trait] ? [revision] : []));
  expect(having("batches")).toEqual(["2025-03-26"]);
  expect(having("elicitationIds")).toEqual(["2025-11-25"]);
});

test("the newest revision is never negotiated by initialize", () => {
  expect(isLegacyRevision(modernRevision)).toBe(false);
  expect(negotiateRevision(modernRevision)).toBe(newestLegacyRevision);
});

test("a missing resource is invalid params since 2026-07-28", () => {
  const codes = Object.values(revisions).map(({ resourceNotFound }) => resourceNotFound);
  expect(codes).toEqual([-32_002, -32_002, -32_002, -32_002, -32_602]);
});

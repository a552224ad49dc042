import { expect, test } from "vitest";
import { foldCase, occurrencesOf } from "./occurrences.ts";

test("case is ignored unless it has to match", () => {
  expect([...occurrencesOf("bean", "Bean bean")]).toEqual([
    [0, 4],
    [5, 9],
  ]);
  expect([...occurrencesOf("bean", "Bean bean", { matchCase: true })]).toEqual([[5, 9]]);
  expect([...occurrencesOf("", "any")]).toEqual([]);
});

test("special characters of regular expressions are literal", () => {
  expect([...occurrencesOf("(a+)+$", "x (a+)+$ (A+)+$")]).toEqual([
    [2, 8],
    [9, 15],
  ]);
});

test("occurrences do not overlap", () => {
  expect([...occurrencesOf("aa", "aaaaa")]).toHaveLength(2);
});

test("case folding preserves the length of every character, so that offsets stay valid", () => {
  const longer: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (foldCase(character).length !== character.length) longer.push(character);
  }
  expect(longer).toEqual([]);
  expect([...occurrencesOf("ΟΔΟΣ", "ΟΔΟΣ ΟΔΟΣΑ")]).toHaveLength(2);
  expect([...occurrencesOf("x", "İİx")]).toEqual([[2, 3]]);
});

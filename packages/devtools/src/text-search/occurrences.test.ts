import { expect, test } from "vitest";
import { foldCase, occurrencesOf } from "./occurrences.ts";

test("a text is found in any case, unless the case has to match", () => {
  expect([...occurrencesOf("bean", "Bean bean")]).toEqual([
    [0, 4],
    [5, 9],
  ]);
  expect([...occurrencesOf("bean", "Bean bean", { matchCase: true })]).toEqual([[5, 9]]);
  expect([...occurrencesOf("", "any")]).toEqual([]);
});

test("what is special in a regular expression is plain text", () => {
  expect([...occurrencesOf("(a+)+$", "x (a+)+$ (A+)+$")]).toEqual([
    [2, 8],
    [9, 15],
  ]);
});

test("occurrences do not overlap", () => {
  expect([...occurrencesOf("aa", "aaaaa")]).toHaveLength(2);
});

test("every character has as many units in the folded text, so that offsets stay right", () => {
  const longer: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (foldCase(character).length !== character.length) longer.push(character);
  }
  expect(longer).toEqual([]);
  expect([...occurrencesOf("ΟΔΟΣ", "ΟΔΟΣ ΟΔΟΣΑ")]).toHaveLength(2);
  expect([...occurrencesOf("x", "İİx")]).toEqual([[2, 3]]);
});

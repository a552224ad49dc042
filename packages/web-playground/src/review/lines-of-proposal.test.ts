import { expect, test } from "vitest";
import { linesOfProposal } from "./lines-of-proposal.ts";

const proposed = "one\nNEW\nNEWER\ntwo\nTHREE\nfour\n";

/** The lines of the proposal for a line of a draft. */
function at(draft: string, line: number, endLine = line) {
  return linesOfProposal({ line, endLine }, { draft, proposed });
}

test("a line below a rejected or added line is the same line of the proposal", () => {
  expect(at(proposed, 4)).toEqual({ line: 4, endLine: 4 });
  expect(at("one\ntwo\nTHREE\nfour\n", 2)).toEqual({ line: 4, endLine: 4 });
  expect(at("one\ntwo\nTHREE\nfour\n", 4)).toEqual({ line: 6, endLine: 6 });
  expect(at(`mine\n${proposed}`, 3)).toEqual({ line: 2, endLine: 2 });
});

test("a line of a hunk that was rejected or edited is the hunk", () => {
  const draft = "one\ntwo\nthree\nfour\n";
  expect(at(draft, 3)).toEqual({ line: 5, endLine: 5 });
  expect(at("one\nOLD\ntwo\nTHREE\nfour\n", 2)).toEqual({ line: 2, endLine: 3 });
  expect(at(draft, 1, 3)).toEqual({ line: 1, endLine: 5 });
});

test("a line that the person has added is the next one of the proposal", () => {
  expect(at("one\nNEW\nNEWER\nmine\ntwo\nTHREE\nfour\n", 4)).toEqual({ line: 4, endLine: 4 });
  expect(at(`${proposed}mine\nand mine`, 8)).toEqual({ line: 7, endLine: 7 });
});

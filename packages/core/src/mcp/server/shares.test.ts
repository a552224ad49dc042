import { expect, test } from "vitest";
import { type Share, Shares } from "./shares.ts";

/** A limit, and the entries evicted because of it. */
function open(limit: number) {
  const shares = new Shares(limit);
  const ended: string[] = [];
  const take = (principal: string | undefined, name: string, amount?: number) =>
    shares.take(principal, { evict: () => void ended.push(name) }, amount);
  const idle = (share: Share | undefined) => {
    if (share !== undefined) share.isBusy = false;
  };
  return { take, idle, ended };
}

test("a single principal may use the whole amount, and no more", () => {
  const { take, ended } = open(3);
  for (const name of ["a", "b", "c"]) expect(take("ann", name)).toBeDefined();
  expect(take("ann", "d")).toBe(undefined);
  expect(ended).toEqual([]);
});

test("a newcomer evicts the oldest entry of the largest holder, and no other", () => {
  const { take, ended } = open(6);
  take("ann", "ann 1");
  for (let count = 1; count <= 9; count += 1) take("mallory", `mallory ${count}`);
  take("bob", "bob 1");
  take("ann", "ann 2");
  expect(ended).toEqual(["mallory 1", "mallory 2"]);
});

test("an entry within its principal's share is never evicted by others", () => {
  const { take, ended } = open(6);
  for (const name of ["1", "2", "3"]) take("ann", name);
  for (let count = 1; count <= 20; count += 1) take("mallory", `mallory ${count}`);
  expect(ended).toEqual([]);
  expect(take(undefined, "nobody in particular")).toBeDefined();
  expect(ended).toHaveLength(1);
});

test("beyond its share a principal replaces its own oldest idle entry", () => {
  const { take, idle, ended } = open(4);
  take("ann", "ann");
  const [first, second] = [take("bob", "busy"), take("bob", "idle 1")];
  idle(second);
  idle(take("bob", "idle 2"));
  expect(take("bob", "new")).toBeDefined();
  expect(ended).toEqual(["idle 1"]);
  expect([first?.resize(1), second?.resize(2)]).toEqual([true, false]);
});

test("amounts are shared out as counts are", () => {
  const { take, ended } = open(100);
  const large = take("mallory", "large", 90);
  expect(large?.resize(101)).toBe(false);
  const small = take("ann", "small", 10);
  expect(small?.resize(40)).toBe(true);
  expect(ended).toEqual(["large"]);
  expect(take("mallory", "again", 70)).toBe(undefined);
  expect(take("mallory", "again", 60)).toBeDefined();
  expect(take("cid", "too much", 101)).toBe(undefined);
});

test("a released entry no longer counts, and is released once", () => {
  const { take, ended } = open(2);
  const share = take("ann", "a", 2);
  share?.release();
  share?.release();
  expect(take("ann", "b", 2)).toBeDefined();
  expect(take("ann", "c", 1)).toBe(undefined);
  expect([share?.resize(1), ended]).toEqual([false, []]);
});

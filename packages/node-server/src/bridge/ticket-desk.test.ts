import { expect, test } from "vitest";
import { TICKET_MS, TicketDesk } from "./ticket-desk.ts";

function openDesk() {
  let nowMs = 1_000;
  const desk = new TicketDesk(() => nowMs);
  return {
    desk,
    wait(ms: number) {
      nowMs += ms;
    },
  };
}

test("a ticket of 32 random bytes gives a key, once", () => {
  const { desk } = openDesk();
  const ticket = desk.issue();
  expect(ticket).toMatch(/^[\w-]{43}$/);
  const given = desk.redeem(ticket);
  expect(given).toEqual({ key: expect.stringMatching(/^[\w-]{43}$/) });
  expect("key" in given && desk.knows(given.key)).toBe(true);
  expect(desk.redeem(ticket)).toEqual({ refused: expect.stringContaining("used already") });
});

test("a ticket is good for 60 s, and not a moment longer", () => {
  const { desk, wait } = openDesk();
  const [first, second] = [desk.issue(), desk.issue()];
  wait(TICKET_MS);
  expect(desk.redeem(first)).toHaveProperty("key");
  wait(1);
  expect(desk.redeem(second)).toEqual({ refused: expect.stringContaining("older than 60 s") });
});

test("to be asked about uses no ticket up", () => {
  const { desk } = openDesk();
  const ticket = desk.issue();
  expect([desk.refusal(ticket), desk.refusal(ticket)]).toEqual([undefined, undefined]);
  expect(desk.redeem(ticket)).toHaveProperty("key");
  expect(desk.refusal(ticket)).toContain("used already");
});

test("what was never issued opens nothing, and a ticket is no key", () => {
  const { desk } = openDesk();
  const ticket = desk.issue();
  expect(desk.redeem("x")).toEqual({ refused: expect.stringContaining("not known") });
  expect(desk.knows(ticket)).toBe(false);
  expect(desk.knows("")).toBe(false);
});

test("of too many tickets the oldest ends, so that they cost a bounded amount", () => {
  const { desk } = openDesk();
  const first = desk.issue();
  const others = Array.from({ length: 64 }, () => desk.issue());
  expect(desk.redeem(first)).toHaveProperty("refused");
  expect(desk.redeem(others[0] ?? "")).toHaveProperty("key");
});

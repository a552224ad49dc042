import { expect, test } from "vitest";
import { type PageKeys, TICKET_MS, TicketStore } from "./ticket-store.ts";

function openStore() {
  let nowMs = 1_000;
  const tickets = new TicketStore(() => nowMs);
  return {
    tickets,
    wait(ms: number) {
      nowMs += ms;
    },
  };
}

test("a ticket of 32 random bytes is exchanged for a key once", () => {
  const { tickets } = openStore();
  const ticket = tickets.issue();
  expect(ticket).toMatch(/^[\w-]{43}$/);
  const given = tickets.redeem(ticket);
  expect(given).toEqual({ key: expect.stringMatching(/^[\w-]{43}$/) });
  expect("key" in given && tickets.knows(given.key)).toBe(true);
  expect(tickets.redeem(ticket)).toEqual({ refused: expect.stringContaining("used already") });
});

test("a ticket is valid for exactly 60 s", () => {
  const { tickets, wait } = openStore();
  const [first, second] = [tickets.issue(), tickets.issue()];
  wait(TICKET_MS);
  expect(tickets.redeem(first)).toHaveProperty("key");
  wait(1);
  expect(tickets.redeem(second)).toEqual({ refused: expect.stringContaining("older than 60 s") });
});

test("checking a ticket does not use it up", () => {
  const { tickets } = openStore();
  const ticket = tickets.issue();
  expect([tickets.refusal(ticket), tickets.refusal(ticket)]).toEqual([undefined, undefined]);
  expect(tickets.redeem(ticket)).toHaveProperty("key");
  expect(tickets.refusal(ticket)).toContain("used already");
});

test("a ticket that was never issued is invalid, and a ticket is not a key", () => {
  const { tickets } = openStore();
  const ticket = tickets.issue();
  expect(tickets.redeem("x")).toEqual({ refused: expect.stringContaining("unknown") });
  expect(tickets.knows(ticket)).toBe(false);
  expect(tickets.knows("")).toBe(false);
});

test("a key of an earlier process is valid for a week after its last use", () => {
  const week = 7 * 24 * 60 * 60_000;
  const { tickets } = openStore();
  let keys: PageKeys = [];
  tickets.onkeys = (now) => {
    keys = now;
  };
  const given = tickets.redeem(tickets.issue());
  const key = "key" in given ? given.key : "";
  expect(new TicketStore(() => 1_000 + week, keys).knows(key)).toBe(true);
  expect(new TicketStore(() => 1_001 + week, keys).knows(key)).toBe(false);
});

test("beyond the limit the oldest ticket expires, so that memory is bounded", () => {
  const { tickets } = openStore();
  const first = tickets.issue();
  const others = Array.from({ length: 64 }, () => tickets.issue());
  expect(tickets.redeem(first)).toHaveProperty("refused");
  expect(tickets.redeem(others[0] ?? "")).toHaveProperty("key");
});

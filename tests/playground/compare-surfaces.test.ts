import { test } from "vitest";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { Person } from "./person.ts";
import { useSite } from "./site.ts";
import { recordTools, weatherVersions } from "./tool-lists.ts";

const site = useSite();

test("a change for the clients of a server is classified as breaking, compatible or text only", async () => {
  const [one = "", two = ""] = await Promise.all(weatherVersions.map(recordTools));
  const person = new Person(await site.page());
  const { page } = person;
  await person.opens("monday.jsonl", one);
  await person.runs("compare sessions");
  await person.givesFile("compare-file", "tuesday.jsonl", two);
  const comparison = page.getByTestId("comparison");
  await comparison.getByRole("heading", { name: "What B changes for clients of A" }).waitFor();
  const changes = comparison.locator(".compared-what");
  for (const [kind, what] of [
    ["breaking", /forecast.*town/],
    ["compatible", /cancel/],
    ["text only", /forecast/],
  ] as const) {
    await changes.filter({ hasText: kind }).filter({ hasText: what }).first().waitFor();
  }
  for (const [where, look] of Object.entries(looks)) {
    await lookAs(page, look);
    await expectGoodLook(page, where);
  }
});

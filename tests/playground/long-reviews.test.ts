import { join } from "node:path";
import { expect, test } from "vitest";
import { axeComplaints } from "../src/axe-complaints.ts";
import { connectClient, openLive, write } from "./live-fixture.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

const lines = (change: (line: string, index: number) => string) =>
  `${Array.from({ length: 20_000 }, (_, index) => change(`const value${index} = ${index};`, index)).join("\n")}\n`;

test("in 20,000 lines each edit is a hunk, stepwise, after undo and side by side; a rewrite is one hunk", async () => {
  const { page, place } = await openLive(site);
  const client = await connectClient(place);
  const file = write(
    place,
    "long.ts",
    lines((line) => line),
  );
  const edit = client.edit(
    file,
    lines((line, index) => (index % 500 === 5 ? `${line} // edited` : line)),
  );
  const review = page.getByTestId("review");
  await review.getByText("40 hunks").waitFor();
  await review.getByRole("img", { name: "40 lines added, 40 removed" }).waitFor();
  await review.getByRole("button", { name: "Accept hunk 1 of 40, line 6" }).waitFor();
  expect(await axeComplaints(page, "[data-testid=review]")).toEqual([]);
  await page.keyboard.press("F7");
  await review.getByRole("button", { name: "Reject hunk 2 of 40, line 506" }).click();
  await review.getByText("39 hunks").waitFor();
  await review.getByRole("button", { name: "Undo the last decision" }).click();
  await review.getByText("40 hunks").waitFor();
  await review.getByRole("button", { name: "Side by side" }).click();
  await review.getByLabel("Current text of long.ts").waitFor();
  await review.getByRole("button", { name: "Accept hunk 1 of 40, line 6" }).click();
  await review.getByText("39 hunks").waitFor();
  await page.keyboard.press("ControlOrMeta+z");
  await review.getByRole("button", { name: "Side by side" }).click();
  await review.getByLabel("Current text of long.ts").waitFor({ state: "detached" });
  await review.locator(".actions").getByRole("button", { name: "Reject" }).click();
  await edit.result;

  const rewrite = client.edit(
    join(place.folder, "long.ts"),
    lines((_, index) => `let other${index * 7};`),
  );
  await review.getByText("1 hunk").waitFor();
  await review.getByRole("button", { name: "Show 19500 more deleted lines" }).waitFor();
  await review.locator(".actions").getByRole("button", { name: "Reject" }).click();
  expect((await rewrite.result).decision).toBe("rejected");
});

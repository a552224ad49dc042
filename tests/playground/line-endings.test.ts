import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { announceSeed } from "../src/fuzz.ts";
import {
  anyFile,
  anyProposal,
  editLine,
  linesOf,
  sample,
  strangeLines,
} from "../src/kept-bytes.ts";
import {
  connectClient,
  openFile,
  openFixture,
  openLive,
  openPage,
  untilLive,
  write,
} from "./live-fixture.ts";
import { useSite } from "./site.ts";

announceSeed();

const site = useSite({ mayComplain: true });

/** The `EditorView` on the screen. */
const VIEW = `(() => {
  const hosts = [...document.querySelectorAll(".shadow-host")].map((host) => host.shadowRoot ?? host);
  const content = hosts.map((root) => root.querySelector(".cm-content")).find(Boolean);
  return content.cmView.view;
})()`;

/** Types at the end of a line, as a person does. */
async function typeInLine(page: Page, index: number, added: string): Promise<void> {
  await page.evaluate(`(() => {
    const view = ${VIEW};
    const { to } = view.state.doc.line(${index + 1});
    view.dispatch({ changes: { from: to, insert: ${JSON.stringify(added)} }, userEvent: "input.type" });
  })()`);
}

test("what a person accepts in the page, whole, edited or hunk by hunk, is written to the byte", async () => {
  const { place, page } = await openLive(site);
  const client = await connectClient(place);
  const file = join(place.folder, "notes.md");
  const review = page.getByTestId("review");
  for (const [index, { before, after }] of sample(anyProposal, 45).entries()) {
    if (after === "") continue;
    writeFileSync(file, before);
    const edit = client.edit(file, after);
    await review.waitFor();
    await page.getByLabel("Proposed text of notes.md").waitFor();
    const last = linesOf(after).length - 1;
    if (index % 3 === 1) await typeInLine(page, last, "!");
    if (index % 3 === 2) {
      // A review of a single hunk has no buttons for hunks.
      const controls = review.locator(".cm-chunkButtons button:visible");
      for (let step = 0; (await controls.count()) > 0; step += 1) {
        await controls.nth(step % 2).click();
      }
    }
    await review.locator(".actions").getByRole("button", { name: "Accept" }).click();
    // Accepting the old text rejects the proposal: then the client writes nothing.
    const { written = before } = await edit.result;
    expect(readFileSync(file, "utf8")).toBe(written);
    if (index % 3 === 0) expect(written).toBe(after);
    if (index % 3 === 1) expect(written).toBe(editLine(after, last, "!"));
    if (index % 3 === 2) expect(strangeLines(written, before, after)).toEqual([]);
    await review.waitFor({ state: "detached" });
  }
  expect(client.violations).toEqual([]);
});

test("saving in the page changes the line that was edited, and no other byte", async () => {
  const { place, link } = await openFixture();
  const texts = sample(anyFile, 20);
  for (const [index, text] of texts.entries()) write(place, `file-${index}.txt`, text);
  const page = await openPage(site, link);
  await untilLive(page);
  for (const [index, text] of texts.entries()) {
    const name = `file-${index}.txt`;
    await openFile(page, name);
    const line = linesOf(text).length - 1;
    await typeInLine(page, line, "!");
    await page.getByLabel(`Text of ${name}`).focus();
    await page.keyboard.press("Control+s");
    await expect
      .poll(() => readFileSync(join(place.folder, name), "utf8"))
      .toBe(editLine(text, line, "!"));
  }
});

test("a review names changes of line ends and byte order mark, which no line shows", async () => {
  const { place, page } = await openLive(site);
  const client = await connectClient(place);
  const file = join(place.folder, "notes.md");
  const crlf = "line\r\n".repeat(40);
  writeFileSync(file, `\uFEFF${crlf}`);
  const edit = client.edit(file, crlf.replaceAll("\r\n", "\n"));
  const review = page.getByTestId("review");
  await review.getByText("Line endings change from CRLF to LF in 40 lines.").waitFor();
  await review.getByText("A byte order mark is removed at the start of the file.").waitFor();
  await review.locator(".actions").getByRole("button", { name: "Reject" }).click();
  expect((await edit.result).decision).toBe("rejected");
});

test("a review shows a file in another encoding as text, and that it has changed meanwhile", async () => {
  const { place, page } = await openLive(site);
  const client = await connectClient(place);
  const file = join(place.folder, "notes.md");
  writeFileSync(file, Buffer.from("caf\xe9\r\ncr\xe8me\r\none\r\n", "latin1"));
  const edit = client.edit(file, "caf\uFFFD\ncr\uFFFDme\nONE\n");
  const review = page.getByTestId("review");
  await review.getByText("The file is not UTF-8: 2 bytes cannot be preserved.").waitFor();
  await review.getByText(/^1 hunk\b/).waitFor();
  expect(await review.getByText("Line endings change").count()).toBe(0);
  writeFileSync(file, "zero\none\n");
  await review.getByText(/^The file has changed since the agent proposed this/).waitFor();
  await review.getByText("zero").first().waitFor();
  expect(await review.getByText("cannot be preserved").count()).toBe(0);
  await review.locator(".actions").getByRole("button", { name: "Reject" }).click();
  expect((await edit.result).decision).toBe("rejected");
});

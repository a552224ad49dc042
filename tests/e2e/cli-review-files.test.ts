import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../src/remove-folder.ts";
import { joinAs, openTerminal, propose, textsOf } from "../src/terminal-context.ts";

/** The terminal's review of a proposal for a file with the given bytes. */
async function openReview(bytes: string | Uint8Array, proposed: string) {
  const context = await openTerminal();
  const file = join(context.fixture.workspace, "file.txt");
  writeFileSync(file, bytes);
  const agent = await joinAs(context.lockFile, "claude-code");
  const answer = propose(agent, file, proposed);
  const shown = await context.run.shows("edit or reject?");
  return { ...context, file, answer, shown };
}

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");

test.each([
  ["CRLF", "one\r\ntwo\r\nthree\r\n", "one\nTWO\nthree\n"],
  ["CRLF and a byte order mark", "\uFEFFone\r\ntwo\r\n", "\uFEFFone\nTWO\n"],
  ["UTF-16LE", utf16("one\ntwo\n"), "\uFEFFone\nTWO\n"],
  ["UTF-16BE with CRLF", utf16("one\r\ntwo\r\n").swap16(), "\uFEFFone\nTWO\n"],
])(
  "of a file with %s a review shows the edited line alone, since agents keep the rest",
  async (...row) => {
    const [, bytes, proposed] = row;
    const { run, shown, answer } = await openReview(bytes, proposed);
    expect(shown).toContain("+1 -1");
    expect(shown).not.toMatch(/line endings|binary|preserved/);
    run.type("review");
    expect(await run.shows("accept this hunk?")).toContain("[1/1] file.txt");
    run.type("y");
    expect(textsOf(await answer)).toEqual(["FILE_SAVED", proposed]);
  },
);

test("a review names the line ending that most lines of a file with mixed ones will get", async () => {
  const { shown } = await openReview("one\r\ntwo\nthree\r\n", "one\ntwo\nTHREE\n");
  expect(shown).toContain("line endings change from mixed to CRLF");
});

test("a proposal that changes line endings alone is shown as such", async () => {
  const { shown } = await openReview("one\r\ntwo\r\n", "one\ntwo\n");
  expect(shown).toContain("line endings change from CRLF to LF");
});

test.each([
  [
    "Latin-1",
    Buffer.from("caf\xe9\ncr\xe8me\none\n", "latin1"),
    "caf\uFFFD\ncr\uFFFDme\n",
    "2 bytes",
  ],
  [
    "Shift JIS",
    Buffer.from([0x93, 0xfa, 0x0a, 0x6f, 0x6e, 0x65, 0x0a]),
    "\uFFFD\uFFFD\n",
    "2 bytes",
  ],
  ["UTF-8 with one bad byte", Buffer.from("\xff\none\n", "latin1"), "\uFFFD\n", "1 byte"],
])("a file of %s is compared as text, and its lost bytes are counted", async (...row) => {
  const [, bytes, kept, count] = row;
  const { shown } = await openReview(bytes, `${kept}ONE\n`);
  expect(shown).toContain("+1 -1");
  expect(shown).toContain(`The file is not UTF-8: ${count} cannot be preserved`);
});

test("a binary file is named as such, without a number of added lines", async () => {
  const { shown } = await openReview(Buffer.from([0x89, 0x50, 0, 1]), "text\n".repeat(1178));
  expect(shown).toContain("is a binary file");
  expect(shown).not.toContain("+1178");
});

test("a diff whose file is written, deleted or created meanwhile is shown again, with the reason", async () => {
  const { run, file, answer } = await openReview("one\ntwo\n", "one\nTWO\n");
  const changed = "The file has changed since the agent proposed this";
  const next = async (change: () => void) => {
    const from = run.output.length;
    change();
    await run.shows(changed, from);
    return run.shows("edit or reject?", from);
  };
  expect(await next(() => writeFileSync(file, "zero\none\ntwo\n"))).toContain("- zero");
  expect(await next(() => writeFileSync(file, "one\r\ntwo\r\nthree\r\n"))).toContain("- three");
  expect(await next(() => removeFolder(file))).toContain("proposes to create");
  expect(await next(() => writeFileSync(file, "new\n"))).toContain("- new");
  run.type("accept");
  expect(textsOf(await answer)).toEqual(["FILE_SAVED", "one\nTWO\n"]);
});

test("a review of hunks ends when its file changes, so that no answer is for another text", async () => {
  const { run, file } = await openReview("one\ntwo\n", "one\nTWO\n");
  run.type("review");
  await run.shows("accept this hunk?");
  writeFileSync(file, "zero\none\ntwo\n");
  await run.shows("The file has changed since");
  run.type("y");
  expect(await run.shows("There is no command y.")).toBeDefined();
});

test("a diff of a file outside the folder is shown again when that changes", async () => {
  const outside = mkdtempSync(join(tmpdir(), "idewire-outside-"));
  onTestFinished(() => removeFolder(outside));
  const file = join(outside, "far.txt");
  writeFileSync(file, "one\n");
  const { run, lockFile } = await openTerminal();
  const agent = await joinAs(lockFile, "claude-code");
  void propose(agent, file, "ONE\n").catch(() => undefined);
  await run.shows("edit or reject?");
  writeFileSync(file, "zero\none\n");
  expect(await run.shows("The file has changed since")).toContain("OUTSIDE THE FOLDER");
});

test("a write by the agent, accepted in its own terminal, is not reported as a change by others", async () => {
  const { run, file, fixture } = await openReview("one\r\ntwo\r\n", "one\nTWO\n");
  writeFileSync(file, "one\r\nTWO\r\n");
  writeFileSync(join(fixture.workspace, "marker.txt"), "written later\n");
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(run.output).not.toContain("The file has changed");
});

import { expect, test } from "vitest";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { ideFixture } from "../../testing/ide-fixture.ts";

async function fixture(isTab: boolean) {
  const host = fakeEditorHost({ closeTab: async () => isTab });
  const { connect, server } = ideFixture({}, host);
  const agent = connect();
  await agent.getReady();
  const propose = (path: string, title: string) =>
    agent.start("openDiff", {
      old_file_path: path,
      new_file_path: path,
      new_file_contents: "new",
      tab_name: title,
    });
  const close = async (name: string) => {
    const { content } = await agent.call("close_tab", { tab_name: name });
    return JSON.stringify(content);
  };
  const waiting = () =>
    [...server.sessions].flatMap(({ diffs }) => diffs.requests.map(({ title }) => title));
  return { agent, propose, close, waiting };
}

test("a diff is closed by its title or, if no tab has that name, by its file", async () => {
  const { propose, close, waiting } = await fixture(false);
  propose("/project/a.ts", "one");
  propose("/project/b.ts", "two");
  await close("one");
  expect(waiting()).toEqual(["two"]);
  await close("/project/../project/b.ts");
  expect(waiting()).toEqual([]);
});

test("a tab of that name is closed first, and an unknown name closes nothing", async () => {
  const first = await fixture(true);
  first.propose("/project/a.ts", "one");
  await first.close("/project/a.ts");
  expect(first.waiting()).toEqual(["one"]);
  const second = await fixture(false);
  second.propose("/project/a.ts", "one");
  for (const name of ["a.ts", "/project", ""]) await second.close(name);
  expect(second.waiting()).toEqual(["one"]);
});

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { parseTrace } from "@idewire/devtools/trace";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { axeComplaints } from "../src/axe-complaints.ts";
import { openWorkspace } from "../src/reference-clients/serve-context.ts";
import {
  connectClient,
  holdAnswers,
  openFile,
  openFixture,
  openLive,
  openPage,
  otherLink,
  received,
  startWeb,
  untilLive,
  write,
} from "./live-fixture.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/** The result of an upgrade by another program than a page: an HTTP status, or a close code. */
async function upgrade(
  origin: string,
  protocols: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const url = `${origin.replace("http", "ws")}/live`;
  const socket = new WebSocket(url, [...protocols], { headers: { origin, ...headers } });
  return new Promise((resolve) => {
    socket.on("unexpected-response", (_, { statusCode }) => {
      resolve(`refused ${statusCode}`);
      socket.terminate();
    });
    socket.on("error", () => undefined);
    socket.on("close", (code, reason) => resolve(`closed ${code} ${reason.toString()}`));
    socket.on("open", () => socket.ping());
    socket.on("pong", () => {
      resolve(`open ${socket.protocol}`);
      socket.close();
    });
  });
}

/** Sends one request with any Host header. */
function get(origin: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  return new Promise<{ readonly status: number; readonly headers: NodeJS.Dict<string | string[]> }>(
    (resolve, reject) => {
      const outgoing = request(origin, { path, headers }, (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      });
      outgoing.on("error", reject).end();
    },
  );
}

test("a selection and a mention in the page reach a real agent; no token reaches the page [playground:6:selection playground:6:no-token]", async () => {
  const { place, token, page } = await openLive(site);
  expect(page.url()).not.toContain("#");
  await page.getByTestId("guide").getByText("start one in this folder").waitFor();
  const client = await connectClient(place);
  await page.getByTestId("guide").getByText("An agent is connected").waitFor();
  await openFile(page, "notes.md");
  await page.getByLabel("Text of notes.md").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Shift+ArrowDown");
  await client.until("the selection", () => client.inbox.context?.text === "# Notes\n");
  await page.getByRole("row", { name: "selection_changed" }).first().waitFor();
  await page.getByTestId("mention").click();
  await client.until("the mention", () => client.promptInput.includes("@notes.md"));
  const everything = (received.get(page) ?? []).join("\n");
  expect(everything).toContain("selection_changed");
  expect(everything).not.toContain(token);
  expect(await page.evaluate("document.cookie")).toBe("");
  expect(client.violations).toEqual([]);
});

test("a diff is accepted as it was edited in the page, also after a reload, and the agent writes it [playground:6:review playground:6:reload]", async () => {
  const { place, page } = await openLive(site);
  const client = await connectClient(place);
  const file = join(place.folder, "notes.md");
  const edit = client.edit(file, readFileSync(file, "utf8").replace("tomatoes", "peppers"));
  await page.getByTestId("review").waitFor();
  await page.reload();
  await page.getByLabel("Proposed text of notes.md").waitFor();
  expect(await axeComplaints(page)).toEqual([]);
  await page.getByLabel("Proposed text of notes.md").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Checked.");
  await page.getByTestId("review").getByRole("button", { name: "Accept" }).first().click();
  const { decision, by, modifiedByUser } = await edit.result;
  expect([decision, by, modifiedByUser]).toEqual(["accepted", "ide", true]);
  expect(readFileSync(file, "utf8")).toBe(
    "# Notes\n\nWater the peppers.\nAnd the beans.\nChecked.",
  );
  await page.getByTestId("review").waitFor({ state: "detached" });
  expect(client.violations).toEqual([]);
});

test("the first answer to a diff wins, wherever it is given, and the others are notified [playground:6:first-answer]", async () => {
  const { place, serve, page } = await openLive(site);
  const client = await connectClient(place);
  const file = join(place.folder, "notes.md");
  const inTerminal = client.edit(file, "one\n");
  await page.getByTestId("review").waitFor();
  inTerminal.answerInTerminal("reject");
  await page.getByTestId("review").waitFor({ state: "detached" });
  const received = page.getByTestId("notice");
  await received
    .getByText("notes.md was answered in its agent, which does not report the answer")
    .waitFor();
  expect((await inTerminal.result).by).toBe("terminal");

  const second = await openPage(site, await otherLink(page));
  await untilLive(second);
  const inPage = client.edit(file, "two\n");
  await page.getByTestId("review").waitFor();
  await second.getByTestId("review").getByRole("button", { name: "Reject" }).first().click();
  await page.getByTestId("review").waitFor({ state: "detached" });
  await serve.event("diff-closed", { outcome: "rejected", by: "page" });
  await received.getByText("notes.md was rejected in another tab").waitFor();
  expect((await inPage.result).decision).toBe("rejected");
  client.edit(file, "three\n");
  await page.getByTestId("review").waitFor();
  client.connection?.link?.terminate();
  await received.getByText("notes.md ended unanswered: its agent has gone").waitFor();
  expect(client.violations).toEqual([]);
});

test("typed text is unsaved text of the folder, is saved by a key, and survives a change on disk [playground:6:save playground:bad:changed-on-disk]", async () => {
  const { place, link } = await openFixture();
  const file = join(place.folder, "notes.md");
  const page = await openPage(site, link);
  await untilLive(page);
  await openFile(page, "notes.md");
  const text = page.getByLabel("Text of notes.md");
  await text.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Typed in the page.", { delay: 5 });
  await page.getByRole("img", { name: "unsaved" }).waitFor();
  await page.keyboard.press("Control+s");
  await expect.poll(() => readFileSync(file, "utf8")).toContain("Typed in the page.");
  await page.getByRole("img", { name: "unsaved" }).waitFor({ state: "detached" });

  await page.keyboard.type(" Mine.");
  await page.getByRole("img", { name: "unsaved" }).waitFor();
  writeFileSync(file, "Theirs.\n");
  await page.getByTestId("stale").getByText("changed on disk").waitFor();
  expect(await text.textContent()).toContain("Mine.");
  await page.reload();
  await page.getByText("Typed in the page. Mine.").waitFor();
  await page.getByLabel("Text of notes.md").click();
  await page.keyboard.press("Control+s");
  await page.getByTestId("stale").getByText("Not saved").waitFor();
  expect(readFileSync(file, "utf8")).toBe("Theirs.\n");
  await page.getByRole("button", { name: "Overwrite with mine" }).click();
  await expect.poll(() => readFileSync(file, "utf8")).toContain("Mine.");
});

test("a binary file and one of 50 MB are refused with the reason [playground:bad:binary playground:bad:fifty-megabytes]", async () => {
  const { place, link } = await openFixture();
  write(place, "image.png", Buffer.from([137, 80, 78, 71, 0, 1, 2]));
  write(place, "huge.txt", Buffer.alloc(50 * 1024 * 1024, "a"));
  const page = await openPage(site, link);
  await untilLive(page);
  await page.getByRole("treeitem", { name: "image.png" }).click();
  await page.getByTestId("notice").getByText("is a binary file").waitFor();
  await page.getByRole("treeitem", { name: "huge.txt" }).click();
  await page.getByTestId("notice").getByText("has 52428800 bytes").waitFor();
});

test("after a restart of the bridge, by the command that was typed, the page reconnects with its unsaved text [playground:6:restart]", async () => {
  const place = openWorkspace();
  const file = write(place, "notes.md", "# Notes\n");
  const first = await startWeb(place, ["--name", "Bob's editor", "--share", "path"]);
  const page = await openPage(site, first.link);
  await untilLive(page);
  await openFile(page, "notes.md");
  await page.getByLabel("Text of notes.md").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Typed together.");
  await expect.poll(() => received.get(page)?.join("")).toContain("Typed together.");
  await first.serve.close();
  await page.getByTestId("guide").getByText("Not connected; retrying. Your text is kept").waitFor();
  const { port } = new URL(first.origin);
  const command = page.getByTestId("guide").locator("code");
  expect(await command.textContent()).toMatch(
    new RegExp(
      `^cd .* && idewire serve .* --name 'Bob'\\\\''s editor' --share path .*--web-port ${port}$`,
    ),
  );
  await page.getByLabel("Text of notes.md").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" Typed alone.");
  await startWeb(place, ["--web-port", port]);
  await untilLive(page);
  await page.getByText("Typed together. Typed alone.").waitFor();
  await page.keyboard.press("Control+s");
  await expect.poll(() => readFileSync(file, "utf8")).toBe("# Notes\nTyped together. Typed alone.");
  expect(await page.getByTestId("notice").count()).toBe(0);
});

/** idewire was restarted, and a page with unsaved text awaits the answer to its first command. */
async function openRestarted() {
  const place = openWorkspace();
  const file = write(place, "notes.md", "# Notes\n");
  const first = await startWeb(place);
  const page = await openPage(site, "about:blank");
  const { events, answers } = await holdAnswers(page, "editor/open");
  await page.goto(first.link);
  await untilLive(page);
  await page.getByRole("treeitem", { name: "notes.md" }).click();
  await expect.poll(() => answers.length).toBe(1);
  answers.pop()?.();
  await page.getByLabel("Text of notes.md").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Typed together.");
  await expect.poll(() => events.join("")).toContain("Typed together.");
  await first.serve.close();
  const lost = page.getByTestId("guide").getByText("Not connected; retrying. Your text is kept");
  await lost.waitFor();
  await page.keyboard.type(" Typed alone.");
  const { port } = new URL(first.origin);
  const start = async () => {
    const { serve } = await startWeb(place, ["--web-port", port]);
    await untilLive(page);
    await expect.poll(() => answers.length).toBe(1);
    return serve;
  };
  return { file, page, answers, lost, start, serve: await start() };
}

test("a text that is saved while it is sent to a restarted bridge again is saved whole", async () => {
  const { file, page, answers } = await openRestarted();
  await page.keyboard.press("Control+s");
  // Gives the effect of the key time to begin.
  await page.waitForTimeout(500);
  answers.pop()?.();
  await expect.poll(() => readFileSync(file, "utf8")).toBe("# Notes\nTyped together. Typed alone.");
});

test("a bridge that restarts while a text is sent to it receives the text again, without a question", async () => {
  const { file, page, answers, lost, serve, start } = await openRestarted();
  await serve.close();
  await lost.waitFor();
  answers.pop();
  await start();
  answers.pop()?.();
  await page.getByText("Typed together. Typed alone.").waitFor();
  await page.keyboard.press("Control+s");
  await expect.poll(() => readFileSync(file, "utf8")).toBe("# Notes\nTyped together. Typed alone.");
  expect(await page.getByTestId("stale").count()).toBe(0);
});

test("text typed in two pages at once is in both, each caret stays, and nothing is lost", async () => {
  const { place, page } = await openLive(site);
  await openFile(page, "notes.md");
  const second = await openPage(site, await otherLink(page));
  await untilLive(second);
  const [above, below] = [page, second].map((one) => one.getByLabel("Text of notes.md"));
  await above?.click();
  await page.keyboard.press("Control+Home");
  await below?.click();
  await second.keyboard.press("Control+End");
  const letters = "abcdefghijklmnopqrstuvwxyz";
  for (const letter of letters) {
    await Promise.all([page.keyboard.type(letter), second.keyboard.type(letter.toUpperCase())]);
  }
  for (const text of [above, below]) {
    await expect
      .poll(async () => (await text?.locator(".cm-line").allTextContents())?.join("\n"))
      .toBe(`${letters}# Notes\n\nWater the tomatoes.\nAnd the beans.\n${letters.toUpperCase()}`);
  }
  await second.keyboard.press("Control+s");
  const written = () => readFileSync(join(place.folder, "notes.md"), "utf8");
  await expect.poll(written).toMatch(/^abc.*xyz# Notes[\s\S]*ABC.*XYZ$/);
});

test("text typed in another page while a text is sent is shown once the folder has that text", async () => {
  const { page } = await openLive(site);
  await openFile(page, "notes.md");
  const second = await openPage(site, "about:blank");
  const { events, answers } = await holdAnswers(second, "editor/edit");
  await second.goto(await otherLink(page));
  await untilLive(second);
  const [above, below] = [page, second].map((one) => one.getByLabel("Text of notes.md"));
  await below?.click();
  await second.keyboard.press("Control+End");
  await second.keyboard.type("Z");
  await expect.poll(() => answers.length).toBe(1);
  await above?.click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("a");
  await expect.poll(() => events.some((event) => event.includes("a# Notes"))).toBe(true);
  // By now the page is rendered, with only its own text.
  await second.waitForTimeout(500);
  answers.pop()?.();
  await expect
    .poll(async () => (await below?.locator(".cm-line").allTextContents())?.join("\n"))
    .toBe("a# Notes\n\nWater the tomatoes.\nAnd the beans.\nZ");
});

test("a ticket opens one page, once and soon; a second tab needs its own [playground:6:ticket playground:bad:ticket-twice]", async () => {
  const { link, origin } = await openFixture();
  const ticket = `idewire.ticket.${link.split("#t=")[1]}`;
  const page = await openPage(site, link);
  await untilLive(page);
  for (const names of [[ticket], ["idewire.ticket.x"], []]) {
    expect(await upgrade(origin, ["idewire.v1", ...names])).toBe("refused 401");
  }
});

test("only the page itself may upgrade: by Host, Origin, path and sub-protocol [playground:6:upgrade playground:bad:other-origin]", async () => {
  const { link, origin } = await openFixture();
  const protocols = ["idewire.v1", `idewire.ticket.${link.split("#t=")[1]}`];
  const { port } = new URL(origin);
  for (const foreign of [
    "http://evil.example",
    "null",
    "http://127.0.0.1:1",
    "https://127.0.0.1",
  ]) {
    expect(await upgrade(origin, protocols, { origin: foreign })).toBe("refused 403");
  }
  for (const host of [`evil.example:${port}`, "127.0.0.1", `127.0.0.1.evil.example:${port}`]) {
    expect(await upgrade(origin, protocols, { host })).toBe("refused 403");
    expect((await get(origin, "/", { host })).status).toBe(403);
  }
  expect(await upgrade(origin, ["mcp"])).toBe("refused 400");
  // None of these attempts has used up the ticket.
  expect(await upgrade(origin, protocols)).toBe("open idewire.v1");
});

test("the page is served with a strict policy, and no other files are served [playground:6:policy]", async () => {
  const { origin } = await openFixture();
  const { status, headers } = await get(origin, "/");
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
  const policy = String(headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'; script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  expect(headers["set-cookie"]).toBeUndefined();
  const outside = [
    "/../package.json",
    "/assets/..%2f..%2fcli.js",
    "/%2e%2e/cli.js",
    "//etc/passwd",
  ];
  for (const path of [...outside, "/service-worker.js", "/live", "/notes.md"]) {
    expect((await get(origin, path)).status, path).toBe(404);
  }
});

test("a recorded trace has all frames without the token, and the page opens it [playground:6:record]", async () => {
  const place = openWorkspace();
  const trace = join(place.fixture.root, "day.jsonl");
  const { token, serve } = await startWeb(place, ["--record", trace]);
  const client = await connectClient(place);
  await client.exit();
  await serve.event("disconnected");
  const text = readFileSync(trace, "utf8");
  expect(existsSync(trace)).toBe(true);
  expect(text).toContain("initialize");
  expect(text).not.toContain(token);
  const read = parseTrace(text);
  expect(read).toMatchObject({ ok: true, value: { cut: false } });
  const times = read.ok ? read.value.events.map(({ t }) => t) : [];
  expect(times.at(-1)).toBeGreaterThan(times[0] ?? 0);
  const page = await site.page();
  await page.getByTestId("share").click();
  await page.locator("input[type=file]").setInputFiles(trace);
  await page.getByText("A recorded trace.").waitFor();
  await page.getByRole("row", { name: "initialize" }).first().waitFor();
});

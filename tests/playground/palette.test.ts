import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { askForChange, openTab, runCommand } from "./actions.ts";
import { connectClient, openFile, openLive } from "./live-fixture.ts";
import { framesOf, untilTrue, useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/** The names of all buttons, selects and checkboxes outside lists and trees. */
const CONTROLS = `(() => {
  const nameOf = (control) => {
    const named = control.querySelector(".change-name") ?? control.labels?.[0] ?? control;
    const copy = named.cloneNode(true);
    for (const part of copy.querySelectorAll("kbd, select, input, [role=img]")) part.remove();
    return control.ariaLabel ?? copy.textContent.trim();
  };
  const all = document.querySelectorAll(
    ":is(button, select, [role=button], .button, input[type=checkbox], input[type=file]):not(:disabled)",
  );
  return [...all].filter((one) => !one.closest("dialog")).flatMap((control) =>
    control.tagName === "SELECT"
      ? [...control.options].filter((one) => !one.selected && !one.disabled).map((one) => one.text)
      : nameOf(control),
  );
})()`;

async function commandsOf(page: Page): Promise<readonly string[]> {
  await page.keyboard.press("Control+k");
  await page.getByTestId("palette").waitFor();
  const texts = await page.getByRole("dialog").getByRole("option").allInnerTexts();
  await page.keyboard.press("Escape");
  await page.getByTestId("palette").waitFor({ state: "detached" });
  return texts.map((text) => text.split("\n")[0] ?? "");
}

/** Expects a command for every control that is now on the page. */
async function expectAllInPalette(page: Page, where: string): Promise<void> {
  let controls: readonly string[] = [];
  const missing = async () => {
    controls = await page.evaluate<string[]>(CONTROLS);
    const commands = await commandsOf(page);
    return controls.filter(
      (name) =>
        name !== "Commands" &&
        !commands.some((command) => command.endsWith(name) || command.startsWith(name)),
    );
  };
  // Some names include a count of frames, which may still grow.
  await expect.poll(missing, { message: where }).toEqual([]);
  expect(controls.length, where).toBeGreaterThan(10);
}

test("every button, choice and checkbox of the page is in the palette", async () => {
  const page = await site.page({ path: "#tour=handshake&play=no" });
  await page.getByTestId("step").click();
  await page.getByTestId("filter").waitFor();
  await expectAllInPalette(page, "tour");
  await runCommand(page, "restart simulation");
  await page.getByText("Connected to").waitFor();
  await askForChange(page);
  for (const tab of [
    "Tree",
    "Raw",
    "Schema",
    "Summary",
    "Sequence",
    "Dialects",
    "Checks",
    "List",
  ]) {
    await openTab(page, tab);
    await expectAllInPalette(page, tab);
  }
  const live = await openLive(site);
  await connectClient(live.place);
  await openFile(live.page, "notes.md");
  await expectAllInPalette(live.page, "live");
});

test("the actions of the dialogs are in the palette", async () => {
  const page = await site.connected();
  const actions = [
    ...["Open a trace", "Save the trace as JSON Lines", "Save the trace as HAR"],
    ...[
      "Copy a link to this trace",
      "Copy a link with the faults",
      "Change the token of the editor",
    ],
  ];
  // The commands are loaded once the page is idle.
  await expect.poll(() => commandsOf(page)).toEqual(expect.arrayContaining(actions));
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    runCommand(page, "save the trace as har"),
  ]);
  expect(download.suggestedFilename()).toBe("idewire-trace.har");
});

test("a command of the palette does what its control does", async () => {
  const page = await site.connected();
  await runCommand(page, "theme: dark");
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
  await runCommand(page, "agent: disconnect");
  await page.locator("[data-testid=session][data-status=closed]").waitFor();
  await runCommand(page, "views sequence");
  await page.getByRole("tab", { name: "Sequence", selected: true }).waitFor();
});

test("the palette follows commands that are registered while it is open", async () => {
  const page = await site.page({ url: "about:blank" });
  let load: (() => void) | undefined;
  const loading = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route(/\/when-idle-/, async (route) => {
    await loading;
    await route.continue();
  });
  await page.goto(site.origin);
  await page.getByText("Connected to").waitFor();
  await page.keyboard.press("Control+k");
  const options = page.getByRole("dialog").getByRole("option");
  await page.getByTestId("palette").fill("go to");
  await page.getByText("No matching commands").waitFor();
  load?.();
  await options.getByText("Go to the next pane").waitFor();
  expect(await page.getByTestId("palette").inputValue()).toBe("go to");
  await page.keyboard.press("ArrowUp");
  // The arrow moves from the first command to the last of those loaded so far.
  await expect.poll(() => options.first().getAttribute("aria-selected")).toBe("false");
  await expect.poll(() => page.getByRole("dialog").locator("[aria-selected=true]").count()).toBe(1);
});

test("the selected command is in view", async () => {
  const page = await site.connected();
  await page.keyboard.press("Control+k");
  const options = page.getByRole("dialog").getByRole("option");
  // Some commands are loaded once the page is idle.
  await options.getByText("Go to the next pane").waitFor();
  await page.keyboard.press("ArrowUp");
  const isInView = `(() => {
    const selected = document.querySelector("dialog [aria-selected=true]");
    const list = selected.parentElement;
    const [part, whole] = [selected, list].map((each) => each.getBoundingClientRect());
    const isBelow = selected.offsetTop - list.offsetTop > list.clientHeight;
    return isBelow && part.top >= whole.top - 1 && part.bottom <= whole.bottom + 1;
  })()`;
  await untilTrue(page, isInView);
});

test("Ctrl+K pressed right after Escape opens the palette again, however busy the page is", async () => {
  const page = await site.connected();
  await page.getByTestId("filter").waitFor();
  await page.keyboard.press("Control+k");
  const palette = page.getByTestId("palette");
  await palette.fill("typed before");
  // Both keys are queued by the time the page can handle the first.
  const busy = page.evaluate(`new Promise((resolve) => setTimeout(() => {
    const start = performance.now();
    while (performance.now() - start < 500);
    resolve();
  }))`);
  await page.waitForTimeout(100);
  await Promise.all([page.keyboard.press("Escape"), page.keyboard.press("Control+k"), busy]);
  await expect.poll(() => palette.inputValue({ timeout: 5_000 })).toBe("");
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });
});

test("a dialog stays open when its file chooser is cancelled", async () => {
  const page = await site.connected();
  await page.getByTestId("share").click();
  const input = page.getByTestId("open-file");
  await input.dispatchEvent("cancel");
  await page.waitForTimeout(200);
  expect(await input.count()).toBe(1);
});

test("? shows the keys, which can be switched off", async () => {
  const page = await site.connected();
  await page.getByTestId("filter").waitFor();
  await page.getByRole("heading", { name: "Agent", exact: true }).click();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keys" });
  const now = dialog.getByRole("table", { name: "Now" });
  await now.getByRole("row", { name: "F6 go to the next pane" }).waitFor();
  const elsewhere = dialog.getByRole("table", { name: "In another pane or state" });
  await elsewhere.getByRole("row", { name: "Enter wire: open the selected frame" }).waitFor();
  expect(await now.getByRole("row", { name: "Enter" }).count()).toBe(0);
  await dialog.getByRole("checkbox").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.press("F6");
  expect(await page.getByTestId("filter").and(page.locator(":focus")).count()).toBe(0);
  await runCommand(page, "keys");
  await dialog.getByRole("checkbox").check();
});

test("Enter opens the selected row, Escape goes back to the list, and brackets move through events", async () => {
  const page = await site.connected();
  await page.getByRole("row", { name: "result of tools/list" }).click();
  await page.getByRole("grid", { name: "Frames" }).focus();
  await page.keyboard.press("Enter");
  await page.getByTestId("frame-view").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".wire-list:focus").waitFor();
  await page.keyboard.press("[");
  await page.getByText("Viewing event 9 of 10").waitFor();
  await page.keyboard.press("]");
  await page.getByTestId("past").waitFor({ state: "detached" });
});

test("a trace that is dropped on the page opens, and an invalid file is refused", async () => {
  const page = await site.connected();
  await page.getByTestId("filter").waitFor();
  const drop = (name: string, text: string): Promise<void> =>
    page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(text)}], "${name}"));
      for (const type of ["dragover", "drop"]) {
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
        document.querySelector("main").dispatchEvent(event);
        if (!event.defaultPrevented) throw new Error(type + " is left to the browser");
      }
    })()`);
  await drop("notes.txt", "no trace");
  await page.getByText("notes.txt cannot be opened: line 1: ").waitFor();
  await page.keyboard.press("Escape");
  expect(await framesOf(page)).toBe(6);
  const frame = { t: 0, ev: "frame", ch: "c", dir: "agent>ide", raw: "{}" };
  await drop("one.jsonl", `{"idewire":"trace/1"}\n${JSON.stringify(frame)}`);
  await page.getByTestId("guide").getByText("A recorded trace").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => framesOf(page)).toBe(1);
});

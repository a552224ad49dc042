import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { ClaudeClient } from "../src/reference-clients/claude-client.ts";
import type { ScriptedServe } from "../src/reference-clients/scripted-serve.ts";
import {
  openWorkspace,
  startClient,
  startServe,
  type Workspace,
} from "../src/reference-clients/serve-context.ts";
import { removeFolder } from "../src/remove-folder.ts";
import { type Site, type SitePageOptions, untilTrue } from "./site.ts";

/** A folder served to agents and to a page. */
export interface LiveFixture {
  readonly place: Workspace;
  readonly serve: ScriptedServe;
  readonly link: string;
  readonly origin: string;
  readonly token: string;
  readonly lockFile: string;
}

/** Serves a folder to agents and to a page. */
export async function openFixture(
  flags: readonly string[] = [],
  place: Workspace = openWorkspace(),
): Promise<LiveFixture> {
  write(place, "notes.md", "# Notes\n\nWater the tomatoes.\nAnd the beans.\n");
  write(place, "src/deep.ts", "export const one = 1;\n");
  return { place, ...(await startWeb(place, flags)) };
}

/** A typical workspace; pictures that are kept show a readable path. */
export function openGarden(isKept: boolean): Workspace {
  const place = openWorkspace("config-dir", "garden");
  if (!isKept) return place;
  const folder = join(tmpdir(), "garden");
  mkdirSync(folder);
  onTestFinished(() => removeFolder(folder));
  return { ...place, folder };
}

/** A served folder and its page, connected. */
export async function openLive(
  site: Site,
  flags: readonly string[] = [],
  place: Workspace = openWorkspace(),
): Promise<LiveFixture & { readonly page: Page }> {
  const fixture = await openFixture(flags, place);
  const page = await openPage(site, fixture.link);
  await untilLive(page);
  return { ...fixture, page };
}

export async function startWeb(place: Workspace, flags: readonly string[] = []) {
  const serve = startServe(place, { flags: ["--web", ...flags] });
  const { page: link, lockFile } = await serve.event("listening");
  const { authToken } = JSON.parse(readFileSync(String(lockFile), "utf8")) as {
    readonly authToken: string;
  };
  return {
    ...{ serve, link: String(link), origin: new URL(String(link)).origin },
    ...{ token: authToken, lockFile: String(lockFile) },
  };
}

export function write(place: Workspace, name: string, text: string | Buffer): string {
  const path = join(place.folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Options of the page of a folder. */
export interface LivePageOptions extends SitePageOptions {
  /** Closes the trace, as on a first visit; otherwise it is open. */
  readonly untraced?: boolean;
}

/** Every message that a page has received over its socket. */
export const received: WeakMap<Page, string[]> = new WeakMap();

export async function openPage(
  site: Site,
  link: string,
  { untraced = false, ...look }: LivePageOptions = {},
): Promise<Page> {
  const page = await site.page({ ...look, url: "about:blank" });
  const frames: string[] = [];
  received.set(page, frames);
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => void frames.push(String(payload)));
  });
  if (!untraced) await page.addInitScript("localStorage.setItem('idewire.trace', 'open')");
  await page.goto(link);
  return page;
}

export async function untilLive(page: Page): Promise<void> {
  await untilTrue(
    page,
    `document.querySelector("[data-testid=live][data-status=connected]") !== null`,
  );
}

export async function openFile(page: Page, name: string): Promise<void> {
  await page.getByRole("treeitem", { name }).click();
  await page.getByLabel(`Text of ${name}`).waitFor();
}

export async function connectClient(place: Workspace): Promise<ClaudeClient> {
  const client = await startClient(place);
  await client.untilReady();
  return client;
}

/** Returns a link for another page, as a person without a clipboard gets it. */
export async function otherLink(page: Page): Promise<string> {
  await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
  await page.getByTestId("link").click();
  return (await page.getByText("http://127.0.0.1").textContent()) ?? "";
}

/** Withholds the answers to a method; call before the page is opened. Each returned function releases one answer. */
export async function holdAnswers(page: Page, method: string, isHeld = () => true) {
  const events: string[] = [];
  const answers: (() => void)[] = [];
  await page.routeWebSocket(/\/live$/, (socket) => {
    const server = socket.connectToServer();
    const ids = new Set<unknown>();
    socket.onMessage((data) => {
      const message = JSON.parse(String(data));
      if (message.method === method) ids.add(message.id);
      server.send(data);
    });
    server.onMessage((data) => {
      const { id, method } = JSON.parse(String(data));
      if (method === undefined && ids.has(id) && isHeld()) answers.push(() => socket.send(data));
      else socket.send(data);
      events.push(String(data));
    });
  });
  return { events, answers };
}

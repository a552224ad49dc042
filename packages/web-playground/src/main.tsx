// biome-ignore-all assist/source/organizeImports: in this order the page is compressed best
import { render } from "preact";
import { takeTicket } from "./state/ticket.ts";
import { Player } from "./state/player.ts";
import { PageModel } from "./state/page-model.ts";
import { App } from "./page/app.tsx";
import { CommandRegistry } from "./commands/registry.ts";
import { openPalette } from "./commands/dialogs.ts";
import { PageViewState } from "./state/view-state.ts";

const model = new PageModel();
const player = new Player(model);
const view = new PageViewState(model);
const page = { model, player, view, commands: new CommandRegistry(() => model.isReachable) };

page.commands.set("page", [openPalette(page)]);

const place = document.getElementById("app");
if (place === null) throw new Error("the page has no #app");
const draw = (): void => {
  place.replaceChildren();
  render(<App page={page} />, place);
};

// Browsers do not retry a failed import: without this message, a part of the page would stay blank.
window.addEventListener("unhandledrejection", ({ reason }) => {
  if (/module/.test(String(reason)))
    document.getElementById("not-loaded")?.removeAttribute("hidden");
});

const behind = takeTicket();
if (behind !== undefined) {
  // No top-level await: chunks that import this file would wait for it.
  void import("./live/views.ts").then(({ openBackend }) => openBackend(model, behind).then(draw));
} else {
  // Starts with a live handshake.
  model.startOver();
  if (location.hash.length > 1) {
    void import("./page/dialogs.ts").then(({ openFromAddress }) => openFromAddress(model, player));
  }
  // In a separate turn, to keep turns short.
  window.setTimeout(draw);
}

const begin = (): void =>
  void import("./page/when-idle.ts").then(({ runWhenIdle }) => runWhenIdle(page));
if (typeof window.requestIdleCallback === "function") window.requestIdleCallback(begin);
else window.setTimeout(begin, 200);

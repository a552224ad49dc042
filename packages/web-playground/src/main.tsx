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
const page = { model, player, view, commands: new CommandRegistry() };

page.commands.set("page", [openPalette(page)]);

const place = document.getElementById("app");
if (place === null) throw new Error("the page has no #app");
const draw = (): void => {
  place.replaceChildren();
  render(<App page={page} />, place);
};

// Browsers do not load again what failed: without these words a part of the page would stay blank.
window.addEventListener("unhandledrejection", ({ reason }) => {
  if (/module/.test(String(reason)))
    document.getElementById("not-loaded")?.removeAttribute("hidden");
});

const behind = takeTicket();
if (behind !== undefined) {
  // Not awaited: what comes later could not be built upon this file then, but on copies of its parts.
  void import("./live/views.ts").then(({ openBehind }) => openBehind(model, behind).then(draw));
} else {
  // A newcomer sees a live handshake, and can begin.
  model.startOver();
  if (location.hash.length > 1) {
    void import("./page/dialogs.ts").then(({ openFromAddress }) => openFromAddress(model, player));
  }
  // In a turn of its own, so that no turn is a long one.
  window.setTimeout(draw);
}

const begin = (): void =>
  void import("./page/when-idle.ts").then(({ runWhenIdle }) => runWhenIdle(page));
if (typeof window.requestIdleCallback === "function") window.requestIdleCallback(begin);
else window.setTimeout(begin, 200);

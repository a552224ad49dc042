import { render } from "preact";
import { App } from "./page/app.tsx";
import { Player } from "./state/player.ts";
import { Session } from "./state/session.ts";
import { takeTicket } from "./state/ticket.ts";
import { ViewState } from "./state/view-state.ts";

const session = new Session();
const player = new Player(session);
const view = new ViewState(session);

const place = document.getElementById("app");
if (place === null) throw new Error("the page has no #app");
const draw = (): void => {
  place.replaceChildren();
  render(<App parts={{ session, player, view }} />, place);
};

const behind = takeTicket();
if (behind !== undefined) {
  // Not awaited: what comes later could not be built upon this file then, but on copies of its parts.
  void import("./live/views.ts").then(({ openBehind }) => openBehind(session, behind).then(draw));
} else {
  // A newcomer sees a live handshake, and can begin.
  const simulation = session.simulate();
  void simulation.command({ do: "open", path: "README.md" });
  simulation.perform("agent", "starts, and looks for an editor", () => void simulation.connect());
  if (location.hash.length > 1) {
    void import("./page/dialogs.ts").then(({ openFromAddress }) =>
      openFromAddress(session, player),
    );
  }
  // In a turn of its own, so that no turn is a long one.
  window.setTimeout(draw);
}

const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 200));
idle(
  () => void import("./page/when-idle.ts").then(({ runWhenIdle }) => runWhenIdle(session, view)),
);

import { EventLog } from "@idewire/core/trace";
import { render } from "preact";
import { openFromAddress, takeTicket } from "./address.ts";
import { Player } from "./player.ts";
import { loadTours } from "./sample.ts";
import { Session } from "./session.ts";
import { App } from "./ui/app.tsx";
import { ViewState } from "./view-state.ts";

const session = new Session();
const player = new Player(session);
const view = new ViewState(session);

const place = document.getElementById("app");
if (place === null) throw new Error("the page has no #app");

const ticket = takeTicket();
if (ticket.isLive) {
  const { LiveFolder } = await import("./live/live-folder.ts");
  const live = new LiveFolder(session, ticket.ticket);
  session.showLive(live, new EventLog());
} else {
  // A newcomer sees a live handshake, and can begin.
  const simulation = session.simulate();
  simulation.editor.openFile("README.md");
  simulation.gesture("agent", "starts, and looks for an editor", () => void simulation.connect());
  void openFromAddress(session, player);
}

place.replaceChildren();
render(<App parts={{ session, player, view }} />, place);

const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 200));
idle(() => {
  void loadTours();
  void import("./code/review-editor.ts");
  void import("./focus-guard.ts").then(({ guardFocus }) => guardFocus());
  void import("./problem-feed.ts").then(({ feedProblems }) => feedProblems(session));
});

if (!ticket.isLive && "serviceWorker" in navigator && location.protocol.startsWith("http")) {
  navigator.serviceWorker.register("./service-worker.js").catch(() => {
    // Without it the page is only not there offline.
  });
}

import { render } from "preact";
import { openFromAddress } from "./address.ts";
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

// A newcomer sees a live handshake, and can begin.
const simulation = session.simulate();
simulation.editor.openFile("README.md");
simulation.gesture("agent", "starts, and looks for an editor", () => void simulation.connect());

place.replaceChildren();
render(<App parts={{ session, player, view }} />, place);
void openFromAddress(session, player);

const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 200));
idle(() => {
  void loadTours();
  void import("./code/review-editor.ts");
});

if ("serviceWorker" in navigator && location.protocol.startsWith("http")) {
  navigator.serviceWorker.register("./service-worker.js").catch(() => {
    // Without it the page is only not there offline.
  });
}

import { createMemoryTransportPair, Peer } from "@idewire/core/rpc";
import { PageClient } from "./client.ts";
import { servePage } from "./server.ts";

const [page, server] = createMemoryTransportPair();
const client = new PageClient(new Peer(page));
const peer = new Peer(server);

// @ts-expect-error A method is missing.
servePage<"live/join" | "live/link">(peer, { "live/link": () => ({ url: "" }) });
// @ts-expect-error The method is misspelt.
servePage<"live/link">(peer, { "live/lnik": () => ({ url: "" }) });
// @ts-expect-error The result is of another form.
servePage<"live/link">(peer, { "live/link": () => ({ link: "" }) });
// @ts-expect-error There is no such method.
void client.request("live/lnik", {});
// @ts-expect-error The parameters are of another form.
void client.request("live/doctor", { run: "1" });
// @ts-expect-error There is no such command.
void client.command({ do: "opne", path: "a.md" });
// @ts-expect-error There is no such event.
client.on("live/event", () => undefined);

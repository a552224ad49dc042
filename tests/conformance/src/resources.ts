import type { McpServer } from "@idewire/core/server";
import { png } from "./media.ts";

/** Text, bytes, a template, and one to watch. */
export function addResources(server: McpServer): void {
  server.resource(
    "test://static-text",
    { name: "Static text", mimeType: "text/plain" },
    () => "This is the content of the static text resource.",
  );
  server.resource("test://static-binary", { name: "Static bytes", mimeType: "image/png" }, () =>
    Buffer.from(png, "base64"),
  );
  server.resource(
    "test://watched-resource",
    { name: "Watched resource", mimeType: "text/plain" },
    () => "Watched content",
  );
  server.resource(
    "test://template/{id}/data",
    { name: "Data of an id", mimeType: "application/json" },
    ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  );
}

import { type Resource, Resources } from "@idewire/core/server";
import { png } from "./media.ts";

/** Text, bytes, a template, and one to watch, beside those given. */
export function createResources(more: readonly Resource[]): Resources {
  const text = (uri: string, words: string) => ({ uri, mimeType: "text/plain", text: words });
  return new Resources({
    subscriptions: true,
    resources: [
      {
        uri: "test://static-text",
        name: "Static text",
        mimeType: "text/plain",
        read: (uri) => text(uri, "This is the content of the static text resource."),
      },
      {
        uri: "test://static-binary",
        name: "Static bytes",
        mimeType: "image/png",
        read: (uri) => ({ uri, mimeType: "image/png", blob: png }),
      },
      {
        uri: "test://watched-resource",
        name: "Watched resource",
        mimeType: "text/plain",
        read: (uri) => text(uri, "Watched content"),
      },
      ...more,
    ],
    templates: [
      {
        uriTemplate: "test://template/{id}/data",
        name: "Data of an id",
        mimeType: "application/json",
        read: ({ uri, variables }) => {
          const { id } = variables as { readonly id: string };
          const data = { id, templateTest: true, data: `Data for ID: ${id}` };
          return { uri, mimeType: "application/json", text: JSON.stringify(data) };
        },
      },
    ],
  });
}

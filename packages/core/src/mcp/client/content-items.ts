import { isObject, type Params } from "../../rpc/message.ts";

/** The member without which an item of a kind has nothing to show. */
const ESSENTIAL: Readonly<Record<string, string>> = {
  text: "text",
  image: "data",
  audio: "data",
  resource_link: "uri",
};

/** Whether a received item can be shown. Those of an unknown kind can: a later revision may have it. */
export function isContentBlock(item: unknown): boolean {
  if (!isObject(item) || !hasTexts(item)) return false;
  const { type, resource } = item;
  if (typeof type !== "string") return false;
  if (type === "resource") return isResourceContents(resource);
  const essential = Object.hasOwn(ESSENTIAL, type) ? ESSENTIAL[type] : undefined;
  return essential === undefined || typeof item[essential] === "string";
}

/** Whether received contents of a resource can be shown. */
export function isResourceContents(item: unknown): boolean {
  if (!isObject(item) || !hasTexts(item)) return false;
  return typeof item["text"] === "string" || typeof item["blob"] === "string";
}

/** Whether a received message of a prompt can be shown. */
export function isPromptMessage(item: unknown): boolean {
  return isObject(item) && typeof item["role"] === "string" && isContentBlock(item["content"]);
}

/** Whether each member that is a text wherever it occurs is one, or absent: some servers leave out required ones. */
function hasTexts({ uri, mimeType, name, title, description }: Params): boolean {
  return (
    isTextOrAbsent(uri) &&
    isTextOrAbsent(mimeType) &&
    isTextOrAbsent(name) &&
    isTextOrAbsent(title) &&
    isTextOrAbsent(description)
  );
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "string";
}

import { isObject, type Params } from "../../rpc/message.ts";

/** The member without which an item of a kind has nothing to show. */
const ESSENTIAL: Readonly<Record<string, string>> = {
  text: "text",
  image: "data",
  audio: "data",
  resource_link: "uri",
};

/** Members that are texts wherever they occur; some servers leave out even the required ones. */
const TEXTS = ["uri", "mimeType", "name", "title", "description"];

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

function hasTexts(item: Params): boolean {
  return TEXTS.every((name) => typeof (item[name] ?? "") === "string");
}

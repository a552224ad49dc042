import { line } from "../output/printable.ts";
import type { McpContext } from "./open-client.ts";

/** Reports a fault that leaves the rest of the server's answer usable. */
export function warnIn({ printer }: Pick<McpContext, "printer">): (words: string) => void {
  return (words) => printer.fail(line`${printer.palette.warning("warning:")} ${words}`);
}

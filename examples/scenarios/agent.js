// The smallest agent that the scenarios are met by: it proposes a line, and writes what is accepted.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { connectIde } from "@idewire/node-server";

const ide = await connectIde({ name: "example-agent", version: "1.0.0" });
const filePath = resolve("notes.md");
const newText = `${readFileSync(filePath, "utf8")}three\n`;
const answer = await ide.openDiff({ filePath, newText });
if (answer.kind === "accepted") writeFileSync(filePath, answer.text);
await new Promise((resolve) => setTimeout(resolve, 1_000));
await ide.close();

import { listenIde } from "@idewire/node-server";
import { openFolderHost } from "idewire/folder-host";

// A program that serves a given folder, to be attacked and measured.

const [folder = ""] = process.argv.slice(2);
const host = await openFolderHost(folder);
const listener = await listenIde(host, { resume: false });
process.stdout.write(`${listener.endpoints[0]?.lockFile}\n`);

import { runWorks } from "./comments/main.ts";

const [folder = "", ...works] = process.argv.slice(2);
await runWorks(folder, works);

export { resolveAnchors } from "@idewire/paired-comments";

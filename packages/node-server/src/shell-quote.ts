export { shellQuote } from "@idewire/core";

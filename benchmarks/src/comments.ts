export { measureComments } from "./comments/main.ts";

export { readSkills } from "./read-skills.ts";

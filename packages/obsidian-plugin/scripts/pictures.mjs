// Takes the pictures that the README shows from where the tests write them.
import { copyFileSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
for (const name of new Set(readme.match(/images\/[\w-]+\.png/g))) {
  const shot = new URL(
    name.replace("images/", "../../../tests/obsidian-host/.shots/"),
    import.meta.url,
  );
  copyFileSync(fileURLToPath(shot), fileURLToPath(new URL(`../${name}`, import.meta.url)));
  console.log(name);
}

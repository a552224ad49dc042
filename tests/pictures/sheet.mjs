import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../pictures", import.meta.url));

/** A page with all differing pictures, the most different first, and the names of the others. */
export function sheetOf(rows) {
  const differing = rows.filter(({ kind }) => kind !== "same");
  const same = rows.filter(({ kind }) => kind === "same");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Pictures of idewire</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { margin: 2rem; }
  section { border-top: 1px solid; padding: 1rem 0; }
  .row { display: flex; flex-wrap: wrap; gap: 1rem; }
  figure { margin: 0; max-width: 32%; }
  img { max-width: 100%; border: 1px solid; }
</style>
<h1>Pictures of idewire</h1>
<p>${differing.length} of ${rows.length} differ from those that are kept.
Keep what is as it should be: <code>npm run pictures -- --keep</code>.</p>
${differing.map(sectionOf).join("\n")}
<h2>The same as before, but for times (${same.length})</h2>
<p>${same.map(({ name }) => name).join(", ")}</p>
</html>
`;
}

function sectionOf({ name, kind, share, before, after, picture }) {
  const figures = [
    before && figureOf("kept", sourceOf(before)),
    after && figureOf("now", sourceOf(after)),
    picture && figureOf("difference", `data:image/png;base64,${picture.toString("base64")}`),
  ];
  const title = kind === "different" ? `${(share * 100).toFixed(2)} % differs` : kind;
  return `<section><h2>${name}: ${title}</h2>
<div class="row">${figures.filter(Boolean).join("")}</div></section>`;
}

function figureOf(caption, source) {
  return `<figure><img src="${source}" alt=""><figcaption>${caption}</figcaption></figure>`;
}

function sourceOf(path) {
  return relative(folder, path).replaceAll("\\", "/");
}

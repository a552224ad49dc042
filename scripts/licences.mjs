// The licence texts of bundled third-party code, which are shipped with the bundle.
import { readFileSync } from "node:fs";
import license from "rollup-plugin-license";

/** Licences that require only their text; a bundle with any other one is not built. */
const ALLOWED = "(0BSD OR Apache-2.0 OR BSD-2-Clause OR BSD-3-Clause OR ISC OR MIT)";

/** Collects the licences of the packages in a bundle, which may be built in several parts. */
export function createLicences() {
  const texts = new Map();
  const collect = (dependency) => {
    const { name, version, license: kind, noticeText } = dependency;
    if (name.startsWith("@idewire/")) return;
    const notice = noticeText === null ? "" : `\n\n${noticeText.trim()}`;
    texts.set(`${name} ${version} (${kind})`, `${textOf(dependency)}${notice}`);
  };
  return {
    plugin: license({
      thirdParty: {
        multipleVersions: true,
        allow: { test: ALLOWED, failOnUnlicensed: true, failOnViolation: true },
        output: (dependencies) => dependencies.forEach(collect),
      },
    }),
    text() {
      const parts = [...texts].map(([title, text]) => `${title}\n\n${text}\n`);
      return ["Contains:\n", ...parts.sort()].join(`\n${"-".repeat(80)}\n\n`);
    },
  };
}

/** The package's licence text; a package may declare MIT and its author without a file. */
function textOf({ name, version, license: kind, licenseText, author }) {
  if (licenseText !== null) return licenseText.trim();
  if (kind !== "MIT" || author === null) throw new Error(`${name} ${version} has no licence text`);
  const ours = readFileSync(new URL("../LICENSE", import.meta.url), "utf8");
  return ours.replace(/^Copyright .*$/m, () => `Copyright (c) ${author.text()}`).trim();
}

// The address of the repository, the only definition of its owner, and the packages that it publishes. Run as a
// program, it refuses a release by a repository other than GITHUB_REPOSITORY.
import { realpathSync } from "node:fs";
import { argv, env } from "node:process";
import { fileURLToPath } from "node:url";

/** A placeholder for the owner; nothing is released with it. */
export const PLACEHOLDER = "owner-to-be-named";

/** The owner and the name of the repository. */
export const repository = { owner: PLACEHOLDER, name: "idewire" };

/** The published packages, in the order of publication: each after its dependencies. */
export const packages = [
  "core",
  "http",
  "node-server",
  "devtools",
  "paired-comments",
  "codemirror",
  "cli",
];

/**
 * The members of a published package's manifest that name its repository.
 * @param {string} directory the package's folder, from the root
 */
export function originOf(directory) {
  const address = `https://github.com/${repository.owner}/${repository.name}`;
  return {
    repository: { type: "git", url: `git+${address}.git`, directory },
    homepage: `${address}/tree/main/${directory}#readme`,
    bugs: { url: `${address}/issues` },
  };
}

/**
 * Makes a README's relative links absolute, for display outside the repository.
 * @param {string} text
 * @param {string} directory the README's folder, from the root
 */
export function withAbsoluteLinks(text, directory) {
  const address = `https://github.com/${repository.owner}/${repository.name}/blob/main/`;
  const absolute = (link) => new URL(link, `${address}${directory}/`).href;
  return text.replace(
    /(\]\(|(?:src|srcset|href)=")(?![a-z]+:|#|\/)([^)\s"]+)/g,
    (_, before, link) => before + absolute(link),
  );
}

/**
 * @param {string | undefined} actual `owner/name` of the repository that releases
 * @throws for the placeholder, or when another repository releases
 */
export function requireOwner(actual) {
  const expected = `${repository.owner}/${repository.name}`;
  if (repository.owner === PLACEHOLDER) {
    throw new Error(`scripts/repository.mjs still has the owner ${PLACEHOLDER}`);
  }
  if (actual !== undefined && actual !== expected) {
    throw new Error(`scripts/repository.mjs has ${expected}, but ${actual} releases`);
  }
}

const program = argv[1] && realpathSync(argv[1]);
if (program === fileURLToPath(import.meta.url)) requireOwner(env.GITHUB_REPOSITORY);

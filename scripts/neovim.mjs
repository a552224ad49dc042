// Finds or installs the Neovim of the tests, and the tmux that drives it.
import { findExecutable, installOnDebian } from "./debian.mjs";

const places = (name) => [
  `/usr/bin/${name}`,
  `/usr/local/bin/${name}`,
  `/opt/homebrew/bin/${name}`,
];

export const advice =
  "On Debian: apt-get install -y --no-install-recommends neovim tmux; elsewhere install both";

/** The path of `nvim`, if `tmux` is there, too. */
export function findNeovim() {
  const [nvim, tmux] = ["nvim", "tmux"].map((name) => findExecutable(places(name)));
  return tmux === undefined ? undefined : nvim;
}

/** Installs Debian's packages on Debian, if permitted. */
export function installNeovim() {
  installOnDebian(["neovim", "tmux"]);
  return findNeovim();
}

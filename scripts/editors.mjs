// Finds or installs the editors of the tests, the Vim of a recipe, and the tmux that drives them.
import { findExecutable, installOnDebian } from "./debian.mjs";

const places = (name) => [
  `/usr/bin/${name}`,
  `/usr/local/bin/${name}`,
  `/opt/homebrew/bin/${name}`,
];

const programs = ["nvim", "emacs", "vim", "tmux"];

export const advice =
  "On Debian: apt-get install -y --no-install-recommends neovim emacs-nox elpa-package-lint elpa-vterm vim tmux; elsewhere install them";

/** The paths of Neovim, Emacs, Vim and tmux, if all of them are there. */
export function findEditors() {
  const found = programs.map((name) => findExecutable(places(name)));
  return found.includes(undefined) ? undefined : found;
}

/** Installs Debian's packages on Debian, if permitted. */
export function installEditors() {
  installOnDebian(["neovim", "emacs-nox", "elpa-package-lint", "elpa-vterm", "vim", "tmux"]);
  return findEditors();
}

// Unpacks Neovim and Emacs of Debian 13 into a folder, on a Debian of any version: installed ones stay unchanged.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { findExecutable, installOnDebian } from "./debian.mjs";

const packages = ["neovim", "emacs-nox", "elpa-eat"];
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";

/** The folder of `nvim`, `emacs` and `emacsclient`; undefined if they cannot be installed. */
export function installDebian13(folder) {
  const bin = join(folder, "bin");
  const done = join(folder, "done");
  const wanted = packages.join(" ");
  if (existsSync(done) && readFileSync(done, "utf8") === wanted) return bin;
  rmSync(folder, { recursive: true, force: true });
  const mirror = findMirror();
  if (mirror === undefined || findPatchelf() === undefined) return undefined;
  if (!download(mirror, folder)) return undefined;
  const root = join(folder, "root");
  mkdirSync(root);
  for (const file of debsOf(folder)) if (!run("dpkg-deb", ["-x", file, root])) return undefined;
  if (!link(root, bin)) return undefined;
  rmSync(join(folder, "cache"), { recursive: true });
  writeFileSync(done, wanted);
  return bin;
}

/** Where this machine gets its packages of Debian from. */
function findMirror() {
  const format = "$(ORIGIN) $(CODENAME) $(REPO_URI)";
  const args = ["indextargets", "--format", format, "Created-By: Packages"];
  const { stdout } = spawnSync("apt-get", args, { encoding: "utf8" });
  const lines = stdout?.split("\n").map((line) => line.split(" ")) ?? [];
  return lines.find(([origin, codename]) => origin === "Debian" && !codename.includes("-"))?.[2];
}

function findPatchelf() {
  const places = ["/usr/bin/patchelf", "/usr/local/bin/patchelf"];
  if (findExecutable(places) === undefined) installOnDebian(["patchelf"]);
  return findExecutable(places);
}

/** Downloads the packages with all dependencies, by an apt with an empty list of installed packages. */
function download(mirror, folder) {
  for (const name of [
    ...["state/lists/partial", "cache/archives/partial", "etc/apt.conf.d", "etc/preferences.d"],
  ]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const file = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const sources = file("sources.list", `deb [signed-by=${keyring}] ${mirror} trixie main\n`);
  const settings = {
    Dir: folder,
    "Dir::State": "state",
    "Dir::State::status": file("status", ""),
    "Dir::Cache": "cache",
    "Dir::Etc": "etc",
    "Dir::Etc::sourcelist": sources,
    "Dir::Log": folder,
    "APT::Install-Recommends": "false",
    // The user that apt switches to by default may not write here.
    "APT::Sandbox::User": "root",
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} "${value}";\n`);
  const env = { ...process.env, APT_CONFIG: file("apt.conf", lines.join("")) };
  return (
    run("apt-get", ["update", "-q"], env) &&
    run("apt-get", ["install", "-q", "-y", "--download-only", ...packages], env)
  );
}

function debsOf(folder) {
  const archives = join(folder, "cache/archives");
  const names = readdirSync(archives).filter((name) => name.endsWith(".deb"));
  return names.map((name) => join(archives, name));
}

/**
 * Binds the programs to the loader and the libraries beside them. A wrapper script that calls the loader
 * is not enough, since Neovim restarts itself by the path of its executable.
 */
function link(root, bin) {
  const [libraries] = readdirSync(join(root, "usr/lib")).filter((name) => /-linux-gnu/.test(name));
  const folder = join(root, "usr/lib", libraries);
  const loader = readdirSync(folder).find((name) => /^ld-linux.*\.so\.\d$/.test(name));
  const programs = { nvim: "nvim", emacsclient: "emacsclient.emacs", emacs: "emacs-nox" };
  mkdirSync(bin);
  for (const [name, file] of Object.entries(programs)) {
    const program = join(root, "usr/bin", file);
    const flags = ["--set-interpreter", join(folder, loader), "--force-rpath"];
    if (!run("patchelf", [...flags, "--set-rpath", folder, program])) return false;
    if (name === "emacs") linkEmacs(root, program, join(bin, name));
    else symlinkSync(program, join(bin, name));
  }
  return true;
}

/** Emacs looks for its files below /usr, unless the environment names other places. */
function linkEmacs(root, program, to) {
  const share = join(root, "usr/share/emacs");
  const version = readdirSync(share).find((name) => /^\d/.test(name));
  const libexec = join(root, "usr/libexec/emacs", version);
  const machine = join(libexec, readdirSync(libexec)[0] ?? "");
  const dump = readdirSync(machine).find((name) => name.endsWith(".pdmp"));
  const data = join(share, version, "etc");
  const site = join(share, "site-lisp/elpa-src");
  const added = readdirSync(site).map((name) => join(site, name));
  // With -Q, no site packages, as in any Emacs.
  const script = `#!/bin/sh
export EMACSDATA='${data}' EMACSDOC='${data}' EMACSPATH='${machine}'
export EMACSLOADPATH='${join(share, version, "lisp")}'
case " $* " in *' -Q '*) ;; *) EMACSLOADPATH="$EMACSLOADPATH:${added.join(":")}" ;; esac
exec '${program}' --dump-file='${join(machine, dump)}' "$@"
`;
  writeFileSync(to, script);
  chmodSync(to, 0o755);
}

function run(command, args, env = process.env) {
  return spawnSync(command, args, { env, stdio: ["ignore", "ignore", 2] }).status === 0;
}

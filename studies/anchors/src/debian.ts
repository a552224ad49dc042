import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The releases of Debian whose sources are read: each has a different version of a package. */
const suites = ["bullseye", "bookworm", "trixie"];

/** Unpacks the original source of a Debian package, such as `curl@8.14.1-2`, whose hash apt verifies. */
export async function unpackDebianSource(cache: string, draft: string, id: string): Promise<void> {
  const env = { ...process.env, APT_CONFIG: await aptConfig(cache) };
  await run(
    "apt-get",
    ["source", "--tar-only", "--download-only", "--only-source", id.replace("@", "=")],
    { cwd: draft, env },
  );
  const archive = (await readdir(draft)).find((name) =>
    /\.orig\.tar\.\w+$|_[^-]*\.tar\.\w+$/.test(name),
  );
  if (archive === undefined) throw new Error(`${id} has no original source`);
  await mkdir(join(draft, "package"));
  const options = ["--strip-components=1", "-C", "package"];
  await run("tar", ["xf", archive, ...options], { cwd: draft });
}

let configured: Promise<string> | undefined;

/** The package lists of these releases, in a separate folder: those of this machine stay unchanged. */
function aptConfig(cache: string): Promise<string> {
  configured ??= makeConfig(join(cache, "apt"));
  return configured;
}

async function makeConfig(folder: string): Promise<string> {
  await mkdir(join(folder, "lists/partial"), { recursive: true });
  const source = "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]";
  const lines = suites.map((suite) => `${source} http://deb.debian.org/debian ${suite} main\n`);
  await writeFile(join(folder, "sources.list"), lines.join(""));
  const file = join(folder, "apt.conf");
  const settings = {
    "Dir::State": folder,
    "Dir::State::status": "/var/lib/dpkg/status",
    "Dir::Cache": folder,
    "Dir::Etc::sourcelist": join(folder, "sources.list"),
    "Dir::Etc::sourceparts": "-",
  };
  await writeFile(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name} "${value}";\n`)
      .join(""),
  );
  await run("apt-get", ["update"], { env: { ...process.env, APT_CONFIG: file } });
  return file;
}

import { shellQuote } from "@idewire/core/internal";
import type { DoctorAdvice } from "@idewire/devtools/internal";
import type { EditorAtPort, EditorFile } from "@idewire/node-server/internal";
import { assessLockFile, assessRivals, isAtPort } from "@idewire/node-server/internal";
import { dialAndClose } from "./connection-steps.ts";
import {
  type DoctorContext,
  failed,
  type OtherFiles,
  ok,
  type StepDefinition,
  type StepFinding,
  type,
  warning,
} from "./step.ts";

const ALSO_FOR_CLAUDE =
  "If idewire serve or host was started with --dialect, add --dialect claude-code.";

/** Lock files exist and can be read. */
export const filesStep: StepDefinition = {
  id: "files",
  title: "lock files",
  async run({ search, cwd, others }) {
    const { files, directories } = search;
    if (files.length === 0) {
      return failed(
        `none in ${directories.map(({ path }) => path).join(" or ")}${describeOthers(others)}`,
        ...(others.some(({ files }) => files.some(({ stale }) => stale === undefined))
          ? [ALSO_FOR_CLAUDE]
          : [
              type(
                "Start an editor there, or serve the folder",
                `idewire serve ${shellQuote(cwd)}`,
              ),
            ]),
        "If one runs, start it and the agent with the same HOME and CLAUDE_CONFIG_DIR.",
      );
    }
    const broken = files.filter(({ lock }) => lock === undefined);
    const detail = `${files.length} in ${directories.map(({ path }) => path).join(" and ")}${describeOthers(others)}`;
    if (broken.length === 0) return ok(detail);
    const words = broken.map(({ path, stale }) => `${path}: ${stale?.why ?? ""}`);
    const why = `${detail}; ${words.join("; ")}`;
    if (broken.length < files.length) return warning(why);
    return failed(why, "Start the editor again; remove these files if no editor writes them.");
  },
};

/** Files of other families, which Claude Code and opencode do not read. */
function describeOthers(others: readonly OtherFiles[]): string {
  const words = others.map(({ readers, files }) => {
    const live = files.filter(({ stale }) => stale === undefined);
    const directory = files[0]?.path.replace(/[\\/][^\\/]*$/, "");
    return files.length === 0
      ? ""
      : `; ${files.length} in ${directory} (${live.length} live), which only ${readers} read`;
  });
  return words.join("");
}

/** One of them is for the working directory. */
export const matchStep: StepDefinition = {
  id: "match",
  title: "for this folder",
  needs: "files",
  async run({ matching, search }) {
    const [best] = matching;
    if (best !== undefined) return ok(best.path);
    const others = search.files.filter(({ elsewhere }) => elsewhere !== undefined);
    const linked = others.find(({ elsewhere }) => elsewhere?.code === "linked-folder");
    if (linked !== undefined) {
      return failed(
        linked.elsewhere?.why ?? "",
        `Open the real folder in the editor: ${search.cwd} or one above it.`,
        "Agents compare the text of the lock file with their own real working directory.",
      );
    }
    const folders = new Set(others.flatMap(({ lock }) => lock?.workspaceFolders ?? []));
    return failed(
      `no editor is for ${search.cwd}; they are for ${[...folders].join(", ") || "no folder"}`,
      "Start the agent in one of these folders, or open this one in the editor.",
      type("Or serve this folder", `idewire serve ${shellQuote(search.cwd)}`),
      "In a container, WSL or over SSH, where it has another name: idewire serve --path-map.",
    );
  },
};

/** The process of at least one of them is running. */
export const processStep: StepDefinition = {
  id: "process",
  title: "editor process",
  needs: "match",
  async run({ editor, matching }) {
    if (editor !== undefined) {
      const { name, pid } = editor;
      return ok(pid === undefined ? `${name} does not report one` : `${name}, process ${pid}`);
    }
    return explainStale(matching);
  },
};

function explainStale(matching: readonly EditorFile[]): StepFinding {
  const [file] = matching;
  const { path = "", stale } = file ?? {};
  const detail = `${assessLockFile(path, file)?.why || "it is not usable"} (${path})`;
  if (stale?.code === "transport") {
    return failed(detail, "The editor's plugin is not compatible, or too old: update it.");
  }
  if (stale?.code === "bad-name") {
    return failed(detail, "The editor's plugin is at fault: a lock file is called <port>.lock.");
  }
  return failed(
    detail,
    "Start the editor again; a file left by a crash is harmless then.",
    type("If no editor uses it, remove it", `rm ${shellQuote(path)}`),
  );
}

/** Claude Code connects by itself only if exactly one remains. */
export const onlyStep: StepDefinition = {
  id: "only",
  title: "only one",
  needs: "process",
  async run(context) {
    const { search, env } = context;
    const editors = search.editors.filter(isAtPort);
    const preferred = Number(env["CLAUDE_CODE_SSE_PORT"]);
    const named = editors.find(({ port }) => port === preferred);
    if (named !== undefined) return ok(`CLAUDE_CODE_SSE_PORT names port ${preferred}`);
    if (assessRivals(editors.slice(1)) === undefined)
      return ok("exactly one editor is for this folder");
    const dead = await Promise.all(editors.map((editor) => describeDead(editor, context)));
    const advice = dead.filter((line) => line !== undefined);
    if (advice.length > 0) return twoLocks(editors.length, advice);
    const looksOn = editors.find(({ inspects }) => inspects !== undefined);
    return looksOn === undefined ? severalEditors(editors) : inspected(looksOn);
  },
};

function inspected({ port, inspects = 0 }: EditorAtPort): StepFinding {
  return failed(
    `idewire inspect, on port ${port}, is a proxy of the editor on port ${inspects}, and each has a lock file`,
    `For an agent whose messages you want to see: CLAUDE_CODE_SSE_PORT=${port} claude`,
    `For any other: CLAUDE_CODE_SSE_PORT=${inspects} claude, or stop the inspection.`,
  );
}

/** The remedy for a lock file whose editor is dead: there is nothing to close. */
async function describeDead(
  editor: EditorAtPort,
  context: DoctorContext,
): Promise<DoctorAdvice | undefined> {
  const { lockFile, pid, port } = editor;
  const outcome = await dialAndClose(editor, context);
  const remove = (why: string) =>
    type(`${why}: remove its lock file`, `rm ${shellQuote(lockFile)}`);
  if (outcome.kind === "not-an-editor" || (outcome.kind === "http" && outcome.status < 400)) {
    return remove(`Another program uses port ${port}; its editor has exited`);
  }
  // A suspended editor, or one that refuses us, is running.
  if (outcome.kind !== "silent" || outcome.code === "timeout") return undefined;
  return remove(
    pid === undefined
      ? "Its port does not answer"
      : `Process ${pid} is running, but its port does not answer`,
  );
}

function twoLocks(count: number, advice: readonly DoctorAdvice[]): StepFinding {
  return failed(
    `${count} lock files are for this folder, and no editor answers on the port of ${advice.length} of them`,
    ...advice,
    "Claude Code connects on its own only if exactly one lock file remains; otherwise type /ide.",
  );
}

function severalEditors(editors: readonly EditorAtPort[]): StepFinding {
  const names = editors.map(({ name, port, pid, folders }) => {
    const process = pid === undefined ? "" : `, process ${pid}`;
    return `${name} on port ${port} (${folders.join(", ")}${process})`;
  });
  return failed(
    `${editors.length} editors are for this folder: ${names.join("; ")}. Claude Code connects to none of them on its own`,
    "Close all but one, or type /ide in Claude Code and choose.",
    type("Or name one", `CLAUDE_CODE_SSE_PORT=${editors[0]?.port ?? 0} claude`),
  );
}

/** In the order in which an agent would try them; `stale` ones come last. */
export function matchingFiles({ files, editors }: DoctorContext["search"]): readonly EditorFile[] {
  const chosen = editors.flatMap(({ lockFile }) => files.filter(({ path }) => path === lockFile));
  const rest = files.filter((file) => file.folder !== undefined && !chosen.includes(file));
  return [...chosen, ...rest];
}

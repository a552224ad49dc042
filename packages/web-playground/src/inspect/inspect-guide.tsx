import type { InspectionFacts } from "@idewire/devtools/internal";
import { Refused } from "../live/refused.tsx";
import { usePage } from "../state/page-context.ts";
import { inspectorOf } from "./inspector.ts";

/** What to do next while inspecting. */
export function InspectGuide() {
  const { model } = usePage();
  const inspector = inspectorOf(model);
  const facts = inspector?.facts.value;
  void model.version.value;
  if (inspector === undefined) return null;
  const status = inspector.link.status.value;
  if (status === "lost") return <>{inspector.link.words.value}</>;
  if (status === "refused") {
    return (
      <Refused
        words={inspector.link.words.value}
        way="press Enter"
        runs="idewire inspect"
        command={inspectCommand(facts?.mode)}
      />
    );
  }
  if (status === "connecting" || facts === undefined) return <>Connecting to idewire…</>;
  if (facts.mode === "agent") {
    return (
      <>This page is an agent of the editor: call a tool, or edit a frame and send it again.</>
    );
  }
  if (facts.mode === "server") {
    return (
      <>
        This page is the client: call a tool, read a resource, or answer what the server asks. Every
        frame is in the list.
      </>
    );
  }
  const isOpen = inspector.connections.all.some(({ state }) => state === "open");
  if (isOpen) {
    return <>Every frame passes through unchanged. Select one to see its content.</>;
  }
  return (
    <>
      Start the agent so that it connects here: <code>{agentCommand(facts.proxy?.port)}</code>
    </>
  );
}

/** Starts an inspection of that mode again. */
export function inspectCommand(mode: InspectionFacts["mode"] | undefined): string {
  return `idewire inspect${mode === "agent" ? " --as-agent" : ""} --web`;
}

/** Starts Claude Code connected to the inspection instead of the editor. */
export function agentCommand(port: number | undefined): string {
  return `CLAUDE_CODE_SSE_PORT=${port ?? 0} claude`;
}

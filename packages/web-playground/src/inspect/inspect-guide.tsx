import { Refused } from "../live/refused.tsx";
import { usePage } from "../state/page-context.ts";
import { inspectorOf } from "./inspector.ts";

/** What a person who looks on does next. */
export function InspectGuide() {
  const { model } = usePage();
  const inspector = inspectorOf(model);
  const facts = inspector?.facts.value;
  model.version.value;
  if (inspector === undefined) return null;
  const status = inspector.link.status.value;
  if (status === "lost") return <>{inspector.link.words.value}</>;
  if (status === "refused") {
    return (
      <Refused
        words={inspector.link.words.value}
        way="press Enter"
        runs="idewire inspect"
        command={`idewire inspect${facts?.mode === "agent" ? " --as-agent" : ""} --web`}
      />
    );
  }
  if (status === "connecting" || facts === undefined) return <>Connecting to idewire…</>;
  if (facts.mode === "agent") {
    return (
      <>This page is an agent of the editor: call a tool, or edit a frame and send it again.</>
    );
  }
  const isOpen = inspector.connections.all.some(({ state }) => state === "open");
  if (isOpen) {
    return <>Every frame passes here as it is. Choose one to see what it says.</>;
  }
  return (
    <>
      Now start the agent so that it comes here: <code>{agentCommand(facts.proxy?.port)}</code>
    </>
  );
}

/** What leads Claude Code to the inspection and not to the editor. */
export function agentCommand(port: number | undefined): string {
  return `CLAUDE_CODE_SSE_PORT=${port ?? 0} claude`;
}

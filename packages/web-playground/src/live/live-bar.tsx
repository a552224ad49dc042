import { countOf } from "@idewire/core/internal/base";
import { usePage } from "../state/page-context.ts";
import { Button, set } from "../ui/controls.tsx";
import { ForeignText, foreignText } from "../ui/foreign-text.tsx";
import { PanelBottom, Stethoscope } from "../ui/icons.ts";
import { LinkButton } from "./link-button.tsx";
import type { PageFolder } from "./page-folder.ts";
import { isTraceShown, toggleTrace } from "./trace-panel.ts";

/** The folder, the trace, a link for a second tab, and the doctor. */
export function LiveBar({ live }: { readonly live: PageFolder }) {
  const { model, view } = usePage();
  void model.version.value;
  const isShown = isTraceShown(view);
  return (
    <>
      <span class="live-folder folder-path" title={foreignText(live.folder.value)}>
        <ForeignText text={live.folder.value} />
      </span>
      <span class="spring" />
      <Button
        title={`Trace: ${countOf(model.own.index.frames.length, "frame")}`}
        icon={PanelBottom}
        class="trace-button"
        aria-expanded={isShown}
        aria-controls={isShown ? "trace" : undefined}
        tooltip="Every frame between this editor and its agents"
        run={() => toggleTrace(view)}
        data-testid="trace"
      />
      <LinkButton to={live} />
      <Button
        title="Connection doctor"
        icon={Stethoscope}
        aria-label="Connection doctor"
        run={set(view.dialog, "doctor")}
        data-testid="doctor"
      >
        Doctor
      </Button>
    </>
  );
}

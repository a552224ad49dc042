import { logLevels } from "@idewire/core/internal";
import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button, Select } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import type { ServerViewProps } from "./server-view.tsx";

const ORDER: readonly string[] = logLevels;

/** The newest messages that are shown; all of them are in the list of frames. */
const SHOWN = 200;

/** The log messages of a server; a program's stderr is under "What happened". */
export function ServerLog({ inspector, server }: ServerViewProps) {
  const { view, model } = usePage();
  void model.version.value;
  const [level, setLevel] = useState<(typeof logLevels)[number]>("info");
  const least = ORDER.indexOf(level);
  const messages = inspector.connections.messages.filter(
    (one) =>
      one.ch === server.ch &&
      (ORDER.indexOf(one.level) + logLevels.length) % logLevels.length >= least,
  );
  const canSet = server.info?.capabilities["logging"] !== undefined;
  return (
    <>
      <div class="ask-line entry-search">
        <Select
          label="Lowest level"
          value={level}
          needsConnection={canSet}
          testid="log-level"
          options={logLevels.map((each) => [each, each] as const)}
          onselect={(each) => {
            setLevel(each);
            if (canSet) void inspector.change({ server: server.name, level: each });
          }}
        />
        {!canSet && <span class="hint">The server sends no log messages.</span>}
      </div>
      {messages.length === 0 && <p class="hint">No messages yet</p>}
      <ol class="messages" aria-label="Log messages">
        {messages.slice(-SHOWN).map(({ n, level: own, logger, text }) => (
          <li key={n} class="message-item" data-testid="message" data-level={own}>
            <Button title={own} kind="link" isForeign run={() => view.show(n)} />{" "}
            <ForeignText text={logger === "" ? text : `${logger}: ${text}`} />
          </li>
        ))}
      </ol>
    </>
  );
}

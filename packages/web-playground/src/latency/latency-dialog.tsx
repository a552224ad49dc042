import { type Latency, measureLatencies } from "@idewire/devtools/internal";
import { useMemo } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { describeTime } from "../ui/figures.ts";

const TIMES = ["Median", "p95", "Max", "Min"] as const;
const COUNTS = ["Answered", "Failed", "Unanswered"] as const;

/** The duration of each kind of request; those that wait for a person are listed separately. */
export function LatencyDialog() {
  const { model } = usePage();
  void model.version.value;
  const { frames } = model.index;
  const all = useMemo(() => measureLatencies(frames), [frames, model.version.value]);
  const byMachines = all.filter(({ isPersonal }) => !isPersonal);
  const byPeople = all.filter(({ isPersonal }) => isPersonal);
  return (
    <Dialog title="Latency by tool">
      {all.length === 0 ? (
        <p class="hint">Nothing has been requested yet.</p>
      ) : (
        <div class="latencies">
          <table class="figures" data-testid="latencies">
            <thead>
              <tr>
                <th class="head">What</th>
                {TIMES.map((head) => (
                  <th key={head} class="head num">
                    {head}
                    <span class="visually-hidden"> in milliseconds</span>
                  </th>
                ))}
                {COUNTS.map((head) => (
                  <th key={head} class="head num">
                    {head}
                  </th>
                ))}
                <th class="head">Asked by</th>
              </tr>
            </thead>
            <tbody>
              {byMachines.map((one) => (
                <Row key={keyOf(one)} latency={one} />
              ))}
              {byPeople.length > 0 && (
                <tr>
                  <th class="head part" colSpan={9} scope="rowgroup">
                    Waiting for you
                  </th>
                </tr>
              )}
              {byPeople.map((one) => (
                <Row key={keyOf(one)} latency={one} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="hint">Times in ms, from a request to its reply. p95: 95 of 100 took no longer.</p>
    </Dialog>
  );
}

function keyOf({ dir, method, tool }: Latency): string {
  return JSON.stringify([dir, method, tool]);
}

function Row({ latency }: { readonly latency: Latency }) {
  const { view } = usePage();
  const { dir, method, tool, count, failed, unanswered, times } = latency;
  const { minMs, medianMs, p95Ms, maxMs } = times ?? {};
  const name = tool ?? method;
  const find = (): void => {
    view.filter.value = `${tool === undefined ? "method" : "tool"}:${name}`;
    view.dialog.value = undefined;
    view.pane.value = "wire";
    view.wireTab.value = "list";
  };
  return (
    <tr>
      <th scope="row">
        <Button title={name} isForeign kind="link" tooltip="Show these frames" run={find} />
      </th>
      {[medianMs, p95Ms, maxMs, minMs].map((ms, at) => (
        <td key={at} class="num" data-name={TIMES[at]}>
          {ms === undefined ? "" : describeTime(ms)}
        </td>
      ))}
      {[count, failed, unanswered].map((figure, at) => (
        <td key={at} class="num" data-name={COUNTS[at]}>
          {figure}
        </td>
      ))}
      <td data-name="Asked by">{dir === "agent>ide" ? "agent" : "editor"}</td>
    </tr>
  );
}

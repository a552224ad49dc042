import { CloseCode } from "@idewire/core/rpc";
import type { OpenedApp } from "@idewire/devtools/internal";
import { useEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { Fact } from "../ui/fact.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { answerTo, findAnswer, resultOf } from "./answers.ts";
import type { OfferedTool } from "./connections.ts";
import type { Inspector, PageRequest } from "./inspector.ts";
import { ViewHost, viewUriOf } from "./view-host.ts";
import { ViewTransport } from "./view-transport.ts";

const MAX_HEIGHT = 2_000;

interface AppViewProps {
  readonly inspector: Inspector;
  readonly tool: OfferedTool;
  /** The answered call whose result is shown. */
  readonly pageRequest: PageRequest;
}

/** The result of a call in the view of its tool, once there is one; nothing for a tool without a view. */
export function AppView(props: AppViewProps) {
  const { model } = usePage();
  void model.version.value;
  const uri = viewUriOf(props.tool);
  if (uri === undefined || findAnswer(model, props.pageRequest).answer?.kind !== "result")
    return null;
  return <OpeningView {...props} key={props.pageRequest.key} uri={uri} />;
}

interface OpeningViewProps extends AppViewProps {
  readonly uri: string;
}

function OpeningView(props: OpeningViewProps) {
  const { inspector, uri, pageRequest } = props;
  const [app, setApp] = useState<OpenedApp | undefined>();
  const [ended, setEnded] = useState<string | undefined>();
  useEffect(() => {
    let isShown = true;
    const { server } = pageRequest;
    const opening = server === undefined ? undefined : inspector.openApp(server, uri);
    void opening?.then((opened) => {
      if (isShown) setApp(opened);
    });
    return () => {
      isShown = false;
      void opening?.then((opened) => opened && inspector.closeApp(opened.ch));
    };
  }, [inspector, uri, pageRequest]);
  if (app === undefined) return null;
  return (
    <section class="app-view" aria-label="View of the tool" data-testid="app-view">
      {ended === undefined ? (
        <AppFrame {...props} app={app} onend={setEnded} />
      ) : (
        <p class="issue" role="alert">
          The view was removed. <ForeignText text={ended} />.
        </p>
      )}
      <details>
        <summary>About this view</summary>
        <dl class="facts">
          <Fact name="resource">
            <ForeignText text={uri} />
          </Fact>
          <Fact name="connection">{app.ch}</Fact>
          <Fact name="policy">
            <ForeignText text={app.policy} />
          </Fact>
          {app.refused.length > 0 && (
            <Fact name="refused">
              <ForeignText text={app.refused.join("; ")} />
            </Fact>
          )}
        </dl>
      </details>
    </section>
  );
}

/** An address that a view asks to open. */
interface RequestedLink {
  readonly url: URL;
  readonly onanswer: (isOpened: boolean) => void;
}

interface AppFrameProps extends OpeningViewProps {
  readonly app: OpenedApp;
  readonly onend: (reason: string) => void;
}

function AppFrame({ inspector, tool, pageRequest, app, onend }: AppFrameProps) {
  const { model } = usePage();
  const frame = useRef<HTMLIFrameElement>(null);
  const [link, setLink] = useState<RequestedLink | undefined>();
  const [height, setHeight] = useState(240);
  useEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const watch: ConstructorParameters<typeof ViewTransport>[1] = (dir, text) =>
      inspector.logApp({ ch: app.ch, dir, frame: text });
    const transport = new ViewTransport(current, watch);
    let loads = 0;
    current.onload = () => {
      loads += 1;
      if (loads > 1) transport.close(CloseCode.PolicyViolation, "It left its document");
    };
    const host = new ViewHost(transport, {
      ...{
        tool,
        onend,
        args: pageRequest.params?.["arguments"],
        result: resultOf(model, pageRequest),
      },
      tools: () => inspector.connections.listsOf(inspector.server?.ch).tools ?? [],
      ask: (method, params) => answerTo(model, inspector.ask(method, params, pageRequest.server)),
      openLink: (url) =>
        new Promise((resolve) => {
          setLink((before) => {
            before?.onanswer(false);
            return { url, onanswer: resolve };
          });
        }),
      onheight: (needed) => setHeight(Math.min(MAX_HEIGHT, Math.ceil(needed))),
    });
    // Set last, as the view sends its first message as soon as it runs.
    current.src = app.path;
    return () => host.close();
    // Not repeated for a new list of tools, which would interrupt the person in the view.
  }, [inspector, model, pageRequest, app, onend]);
  const answer = (isOpened: boolean): void => {
    link?.onanswer(isOpened);
    setLink(undefined);
  };
  return (
    <>
      {link !== undefined && (
        <p class="banner" role="status" data-testid="app-link">
          The view asks to open{" "}
          <a
            href={link.url.href}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => answer(true)}
          >
            <ForeignText text={link.url.href} />
          </a>
          <Button title="Do not open" run={() => answer(false)} />
        </p>
      )}
      <iframe
        ref={frame}
        title={`View of ${tool.name}`}
        sandbox="allow-scripts allow-forms"
        referrerpolicy="no-referrer"
        height={height}
      />
    </>
  );
}

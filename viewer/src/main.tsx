// Starts the page: takes the token out of the address, asks for the runs, and shows them.

import { render } from "preact";
import "uplot/dist/uPlot.min.css";
import "./page.css";
import { App } from "./app";
import { Page } from "./context";
import { listen } from "./keys";
import { LivePage } from "./live/page";
import { Problem, ViewerPage } from "./page";
import type { Meta } from "./protocol";
import { Questions } from "./questions";
import { Report } from "./report";
import { Server, type Source } from "./source";
import { Stage } from "./stage";
import { theme } from "./theme";

const TOKEN = "mpiscope-token";

/** Takes the token from the address, where it should not stay, to where the browser's other tabs of this server find it. */
function takeToken(): { token: string; fragment: string } {
  const parts = location.hash.slice(1).split("&");
  const token = parts.find((part) => part.startsWith("token="))?.slice("token=".length);
  const fragment = parts.filter((part) => part !== "" && !part.startsWith("token=")).join("&");
  if (token === undefined) return { token: keptToken() ?? "", fragment };
  keepToken(token);
  history.replaceState(null, "", fragment === "" ? location.pathname + location.search : `#${fragment}`);
  return { token, fragment };
}

/** A browser may be told to keep nothing of a page; then only the address that has the token leads to it. */
function keptToken(): string | null {
  try {
    return localStorage.getItem(TOKEN);
  } catch {
    return null;
  }
}

function keepToken(token: string): void {
  try {
    localStorage.setItem(TOKEN, token);
  } catch {
    // This tab has it until it is loaded again.
  }
}

async function start(root: HTMLElement): Promise<void> {
  render(<Problem title="Opening the run …" text="The page asks mpiscope view what there is to show." busy />, root);
  const { token, fragment } = takeToken();
  const source = Report.of(document) ?? new Server(token);
  try {
    const meta = await source.json<Meta>("meta");
    if (meta.live) return watch(root, source);
    if (meta.runs.length === 0) throw new Error("mpiscope view was given no run.");
    const ask = new Questions(source);
    const kept = await Promise.all(meta.runs.map((_, run) => ask.shifts(run)));
    show(root, new App(source, meta, fragment, kept));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    render(<Problem title="The run cannot be shown" text={text} />, root);
    root.dataset.ready = "error";
  }
}

/** Shows a job that is looked at while it runs. */
function watch(root: HTMLElement, source: Source): void {
  root.replaceChildren();
  render(<LivePage source={source} root={root} />, root);
}

function show(root: HTMLElement, app: App): void {
  const stage = new Stage(app, root);
  stage.theme.set(theme.get());
  theme.watch((now) => stage.theme.set(now));
  listen(document, app);
  addEventListener("hashchange", () => app.readAddress(takeToken().fragment));
  addEventListener("pagehide", () => void app.keeping.now());
  root.replaceChildren();
  render(
    <Page.Provider value={{ app, stage }}>
      <ViewerPage />
    </Page.Provider>,
    root,
  );
  document.title = `${app.meta.runs.map((run) => run.name).join(", ")} – mpiscope`;
  const tell = () => {
    const { selected, finding, sort } = app.view.get();
    root.dataset.selected = selected ? Object.values(selected).join(":") : "";
    root.dataset.finding = finding === null ? "" : String(finding);
    root.dataset.sort = sort;
  };
  app.view.watch(tell);
  tell();
  const tellIterations = () => (root.dataset.iterations = String(app.iterations.get()?.found.count ?? 0));
  app.iterations.watch(tellIterations);
  tellIterations();
}

void start(document.getElementById("app")!);

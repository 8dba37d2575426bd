// Where answers come from. The page asks by the paths of PROTOCOL.md and does not know
// whether a server or the file that holds the page answers.

import type { Meta } from "./protocol";

export interface Source {
  json<T>(path: string, signal?: AbortSignal): Promise<T>;
  bytes(path: string, signal?: AbortSignal): Promise<ArrayBuffer>;
  /** Has something kept; a report keeps nothing. */
  put?<T>(path: string, what: unknown): Promise<T>;
}

/** An answer that is an error; the status says which (401: token, 404: nothing there, 410: archive gone). */
export class SourceError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const GONE = 410;

/** True of errors that concern the whole page: no answer at all, a wrong token, an archive that is gone. */
export function serious(error: unknown): error is SourceError {
  return error instanceof SourceError && [0, 401, 403, GONE].includes(error.status);
}

/** True if the question was withdrawn, which is no error. */
export function withdrawn(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** `mpiscope view`, asked over HTTP with the token of its address. */
export class Server implements Source {
  /** Which reading of the runs the page shows: a run that was changed is read again when a page is loaded. */
  private edition: number | null = null;

  constructor(
    private readonly token: string,
    private readonly base = "api/",
  ) {}

  async json<T>(path: string, signal?: AbortSignal): Promise<T> {
    const answer: unknown = await (await this.get(path, signal)).json();
    if (path === "meta") this.edition ??= (answer as Meta).edition;
    return answer as T;
  }

  async bytes(path: string, signal?: AbortSignal): Promise<ArrayBuffer> {
    return (await this.get(path, signal)).arrayBuffer();
  }

  async put<T>(path: string, what: unknown): Promise<T> {
    // It is kept though the page is left meanwhile.
    const response = await this.get(path, undefined, { method: "PUT", body: JSON.stringify(what), keepalive: true });
    return (await response.json()) as T;
  }

  private async get(path: string, signal?: AbortSignal, how: RequestInit = {}): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.base + this.ofEdition(path), {
        ...how,
        headers: { Authorization: `Bearer ${this.token}` },
        ...(signal ? { signal } : {}),
      });
    } catch (error) {
      if (withdrawn(error)) throw error;
      throw new SourceError(0, "mpiscope view does not answer; it was stopped, or the tunnel to it is closed.");
    }
    if (!response.ok) throw new SourceError(response.status, await reason(response));
    return response;
  }

  /** Answers of another reading are refused, and not taken from what the browser keeps. */
  private ofEdition(path: string): string {
    if (this.edition === null || path === "meta") return path;
    return `${path}${path.includes("?") ? "&" : "?"}edition=${this.edition}`;
  }
}

async function reason(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error: string };
    return sentence(error, response.status);
  } catch {
    return `The server answers with status ${response.status}.`;
  }
}

/** The server's errors are parts of sentences; that a run is gone begins with its name, which stays as it is. */
export function sentence(text: string, status: number): string {
  const first = status === GONE ? text.charAt(0) : text.charAt(0).toUpperCase();
  return `${first}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

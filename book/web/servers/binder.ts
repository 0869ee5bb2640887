// Asks a BinderHub for a server through its public build API, and follows the events that it answers with.
// Source: https://binderhub.readthedocs.io/en/latest/api.html
import { createParser } from "eventsource-parser";
import type { Server } from "./server.ts";

export const PHASES = [
  "asking",
  "waiting",
  "fetching",
  "building",
  "pushing",
  "built",
  "launching",
] as const;
export type Phase = (typeof PHASES)[number];

/** Why there is no server: what failed, or how the connection to the BinderHub ended. */
export type Trouble = "build" | "launch" | "project" | "busy" | "status" | "broken" | "network";

/** What a BinderHub said before it failed is in `message`. */
export class BinderError extends Error {
  constructor(
    readonly trouble: Trouble,
    log = "",
  ) {
    super(log);
  }
}

interface Event {
  phase?: string;
  message?: string;
  status_code?: number;
  url?: string;
  token?: string;
}

// A BinderHub sends a comment every 25 seconds, so that no silence is longer.
const SILENCE = 90_000; // milliseconds
const LOG = 4000; // characters of the log that are kept, from its end
const ANSI = /\x1b\[[0-9;?]*[A-Za-z]/g;

/**
 * Returns the server that a BinderHub has started.
 * @param api the URL of the build, such as https://mybinder.org/build/gh/OWNER/NAME/REF
 * @param report is told each phase, and the end of the log so far
 * @throws BinderError if there is no server; what `signal` was aborted with if it was
 */
export async function launch(
  api: string,
  signal: AbortSignal,
  report: (phase: Phase, log: string) => void,
): Promise<Server> {
  let phase: Phase = "asking";
  let log = "";
  report(phase, log);
  for await (const event of events(api, signal)) {
    log = `${log}${event.message ?? ""}`.replace(ANSI, "").slice(-LOG);
    const now = event.phase?.toLowerCase();
    if (now === "ready") return serverOf(event, api, log);
    if (now === "failed" || now === "failure")
      throw new BinderError(troubleOf(event, phase), log.trim());
    phase = PHASES.find((known) => known === now) ?? phase;
    report(phase, log.trim());
  }
  throw new BinderError("broken", log.trim());
}

/** What failed, by what the BinderHub says, or by the phase in which it fails. */
const troubleOf = ({ message = "", status_code }: Event, phase: Phase): Trouble => {
  if (status_code === 429 || /too many users|rate limit/i.test(message)) return "busy";
  if (status_code === 404 || /could not resolve ref/i.test(message)) return "project";
  return phase === "built" || phase === "launching" ? "launch" : "build";
};

const serverOf = ({ url, token }: Event, api: string, log: string): Server => {
  const base = url && URL.canParse(url) ? new URL(url) : null;
  // Without encryption, others would read the token on the way.
  const isSafe = base?.protocol === "https:" || base?.protocol === new URL(api).protocol;
  if (!base || !isSafe || !token) throw new BinderError("broken", log.trim());
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  return { base: base.origin + base.pathname, token, by: "binder" };
};

/** The events of the answer, as they come. A browser's EventSource hides the status and tries again. */
async function* events(api: string, signal: AbortSignal): AsyncGenerator<Event> {
  const response = await ask(api, signal);
  if (response.status === 429) throw new BinderError("busy");
  if (!response.ok || !response.body) throw new BinderError("status", `HTTP ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const found: Event[] = [];
  const parser = createParser({ onEvent: ({ data }) => found.push(eventOf(data)) });
  try {
    while (true) {
      const { done, value } = await next(reader, signal);
      if (done) return;
      parser.feed(value);
      yield* found.splice(0);
    }
  } finally {
    void reader.cancel().catch(() => {}); // has been closed already, if it broke
  }
}

const ask = async (api: string, signal: AbortSignal) => {
  try {
    const headers = { Accept: "text/event-stream" };
    return await fetch(api, { headers, signal, credentials: "omit", cache: "no-store" });
  } catch {
    signal.throwIfAborted();
    throw new BinderError("network");
  }
};

const next = async (reader: ReadableStreamDefaultReader<string>, signal: AbortSignal) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new BinderError("broken")), SILENCE);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch {
    signal.throwIfAborted();
    throw new BinderError("broken");
  } finally {
    clearTimeout(timer);
  }
};

const eventOf = (data: string): Event => {
  try {
    return (JSON.parse(data) as Event | null) ?? {};
  } catch {
    throw new BinderError("broken", data.slice(0, LOG));
  }
};

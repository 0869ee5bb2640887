// Asks the reader where Python should run, and shows how the server starts or why there is none.
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Markup } from "../../../attention_figures/web/core/markup.tsx";
import { t, type Key } from "../strings/servers.ts";
import { BinderError, launch } from "./binder.ts";
import { check, readServer, splitToken, type Slip } from "./own.ts";
import { hostOf, type Server } from "./server.ts";

interface Choices {
  /** The URL at which a BinderHub builds the project. */
  api: string;
  /** The address of the project, for readers. */
  project: string;
  /** Is given the server, or null if the reader cancels. */
  settle: (server: Server | null) => void;
}

/** What stands in the panel; `says` is announced. */
interface View {
  is: "choice" | "progress" | "failed";
  says?: Key;
  host?: string;
  log?: string;
}

const SLIPS: Record<Slip, Key> = {
  empty: "empty",
  address: "notAddress",
  password: "password",
  insecure: "insecure",
  token: "notToken",
};

const focusFirst = (panel: HTMLElement) =>
  panel.querySelector<HTMLElement>("[data-first]")?.focus({ preventScroll: true });

/** Marks what gets the focus. */
const first = (isFirst: boolean) => ({ "data-first": isFirst ? "" : undefined });

export function Choice({ api, project, settle }: Choices) {
  const view = useSignal<View>({ is: "choice" });
  const panel = useRef<HTMLElement>(null);
  const stop = useRef(new AbortController());

  const { is, says, host = hostOf(api), log } = view.value;
  const isWrong = is === "choice" && Boolean(says);
  const isNew = useRef(true);
  // What had the focus is gone when the view changes. A reader who has gone on reading is not called back.
  useLayoutEffect(() => {
    const { activeElement } = document;
    const isHere = panel.current!.contains(activeElement) || activeElement === document.body;
    if (isNew.current || isHere) focusFirst(panel.current!);
    isNew.current = false;
  }, [is, isWrong && view.value]);

  const cancel = () => {
    stop.current.abort();
    settle(null);
  };
  /** Runs until there is a server, or a view that says why there is none. */
  const attempt = async (work: (signal: AbortSignal) => Promise<Server | View>) => {
    const { signal } = (stop.current = new AbortController());
    const result = await work(signal).catch((error: unknown): View => {
      if (error instanceof BinderError)
        return { is: "failed", says: error.trouble, log: error.message };
      if (!signal.aborted) throw error;
      return { is: "choice" };
    });
    if (signal.aborted) return;
    if ("base" in result) settle(result);
    else view.value = result;
  };
  const askBinder = () =>
    void attempt((signal) =>
      launch(api, signal, (says, log) => (view.value = { is: "progress", says, log })),
    );
  const askOwn = (address: string, token: string) => {
    const server = readServer(address, token);
    if (typeof server === "string")
      return void (view.value = { is: "choice", says: SLIPS[server] });
    const host = hostOf(server.base);
    view.value = { is: "progress", says: "connecting", host };
    void attempt(async (signal) => {
      const refusal = await check(server, signal);
      return refusal ? { is: "choice", says: refusal, host } : server;
    });
  };

  return (
    <section
      ref={panel}
      class="server-choice"
      aria-labelledby="server-choice-heading"
      translate={false}
      onKeyDown={({ key }) => key === "Escape" && is === "choice" && cancel()}
    >
      <p id="server-choice-heading" tabIndex={-1} {...first(is === "choice" && !isWrong)}>
        <b>{t("heading")}</b>
      </p>
      <div hidden={is !== "choice"}>
        <p>{t("nothing")}</p>
        <p>
          <Markup text={t("binder", { host: hostOf(api), project })} />
        </p>
        <button type="button" data-binder onClick={askBinder}>
          {t("start")}
        </button>
        <details open={isWrong}>
          <summary>{t("own")}</summary>
          <Own isWrong={isWrong} connect={askOwn} />
        </details>
      </div>
      <p id="server-says" role="status" data-says={says ?? ""} data-is={isWrong ? "failed" : is}>
        {says && <Markup text={t(says, { host, project })} />}
      </p>
      {is === "progress" && says !== "connecting" && <Elapsed />}
      {log && (
        <details>
          <summary>{t("log")}</summary>
          <pre tabIndex={0} data-log>
            {log}
          </pre>
        </details>
      )}
      <div class="server-actions">
        {is === "failed" && (
          <button type="button" data-retry {...first(true)} onClick={askBinder}>
            {t("retry")}
          </button>
        )}
        {is === "failed" && (
          <button type="button" data-back onClick={() => (view.value = { is: "choice" })}>
            {t("other")}
          </button>
        )}
        <button type="button" data-cancel {...first(is === "progress")} onClick={cancel}>
          {t("cancel")}
        </button>
      </div>
    </section>
  );
}

interface OwnProps {
  isWrong: boolean;
  connect: (address: string, token: string) => void;
}

/** The fields for a server of the reader's own. A token in a pasted address moves into its own field. */
function Own({ isWrong, connect }: OwnProps) {
  const address = useRef<HTMLInputElement>(null);
  const token = useRef<HTMLInputElement>(null);
  const split = () => {
    const [bare, found] = splitToken(address.current!.value);
    if (!found) return;
    address.current!.value = bare;
    token.current!.value = found;
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    split();
    connect(address.current!.value, token.current!.value);
  };
  const field = { autocomplete: "off", spellcheck: false, autocapitalize: "off" } as const;
  return (
    <form noValidate onSubmit={submit}>
      <p>{t("needs")}</p>
      <pre tabIndex={0}>jupyter server --ServerApp.allow_origin={location.origin}</pre>
      <label>
        {t("address")}
        <input
          ref={address}
          {...field}
          type="text"
          inputMode="url"
          name="address"
          placeholder="http://localhost:8888/"
          aria-invalid={isWrong}
          aria-describedby="server-says"
          {...first(isWrong)}
          onChange={split}
        />
      </label>
      <label>
        {t("token")}
        <input ref={token} {...field} type="password" name="token" />
      </label>
      <p>{t("onlyThere")}</p>
      <button type="submit" data-connect>
        {t("connect")}
      </button>
    </form>
  );
}

/** How long Binder has been at it; not announced. */
function Elapsed() {
  const seconds = useSignal(0);
  useEffect(() => {
    const start = Date.now();
    const tick = () => (seconds.value = Math.floor((Date.now() - start) / 1000));
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, []);
  const rest = String(seconds.value % 60).padStart(2, "0");
  return (
    <p class="server-elapsed" aria-hidden="true">{`${Math.floor(seconds.value / 60)}:${rest}`}</p>
  );
}

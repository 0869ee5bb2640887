// Mounts a figure: renders its view with the question, caption, code line and toolbar around it.
import { computed, effect, untracked, useComputed, useSignal } from "@preact/signals";
import { render } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { ShareMenu } from "../export/share_menu.tsx";
import { trackUrlState, type UrlState } from "./url_state.ts";
import { Announcer } from "./announcer.tsx";
import { ObservationNote, ObservationView } from "./observation_view.tsx";
import { QuestionView } from "./question_view.tsx";
import { createFigure, type Figure } from "./figure.ts";
import { hiddenNote, type Kind } from "./kind.ts";
import { CodeLineView } from "./code_line.tsx";
import { Markup } from "./markup.tsx";
import type { Model } from "./model.ts";
import { watchColours } from "./palette.ts";
import { printing } from "./printing.ts";
import type { Question } from "./question.ts";
import { Scales } from "./scales.tsx";
import { Toolbar } from "./toolbar.tsx";
import type { Translate } from "./strings.ts";

export interface MountProps {
  kind: Kind;
  model: Model;
  t: Translate;
  question: Question | null;
  observation: Question | null;
  /** The initial state that a page stores; without it (in Jupyter) no links and no session state. */
  stored?: Record<string, unknown>;
}

/** Renders a figure into root; returns the figure and a function that unmounts it. */
export function mount(
  root: HTMLElement,
  { kind, model, t, question, observation, stored }: MountProps,
) {
  const figure = createFigure(kind, model, t, question, observation);
  const page = stored && trackUrlState(figure, root, stored);
  root.addEventListener("click", ({ target }) => choosePlace(figure, target as Element));
  root.replaceChildren();
  root.toggleAttribute("data-live", true);
  const colours = watchColours(root, figure.theme);
  const stopSyncing = syncRoot(figure, root);
  render(<FigureLayout figure={figure} root={root} page={page} />, root);
  const stopObserving = markWhenSeen(root);
  return {
    figure,
    stop: () => {
      render(null, root);
      stopSyncing();
      stopObserving();
      figure.stop();
      colours.stop();
      root.remove();
    },
  };
}

/** Lets the reader answer a place question by clicking the place in the picture. */
function choosePlace({ questionState }: Figure, target: Element) {
  const place = target.closest<HTMLElement>("[data-place]")?.dataset.place;
  if (
    place !== undefined &&
    questionState.pending.value &&
    questionState.question?.type === "place"
  )
    questionState.guess.value = Number(place);
}

/** Keeps the root's attributes and custom properties, which style sheets read, up to date. */
function syncRoot(figure: Figure, root: HTMLElement) {
  const { kind, questionState, t, revealed, touched, at } = figure;
  // Set only on a change: setting a custom property recalculates the style of every descendant.
  const keys = computed(() => kind.columns?.(at).keys);
  const columns = computed(() => kind.columns?.(at).columns);
  const ends = [
    effect(() => {
      root.toggleAttribute("data-hidden", !revealed.value);
      root.toggleAttribute("data-touched", touched.value);
      if (questionState.question) root.dataset.asked = questionState.status.value;
      const word = questionState.pending.value ? "?" : t("hidden");
      root.style.setProperty("--hidden-word", JSON.stringify(word));
    }),
    effect(() => (printing.value ? untracked(() => figure.revealForPrint()) : undefined)),
    effect(() => {
      if (keys.value === undefined) return;
      root.style.setProperty("--keys", String(keys.value));
      root.style.setProperty("--columns", String(columns.value));
    }),
  ];
  return () => ends.forEach((end) => end());
}

/** Sets data-seen once a handle is in the viewport, which starts the handle's animation. */
function markWhenSeen(root: HTMLElement) {
  const seen = new IntersectionObserver((found) => {
    if (!found.some(({ isIntersecting }) => isIntersecting)) return;
    root.toggleAttribute("data-seen", true);
    seen.disconnect();
  });
  root.querySelectorAll("[data-handle]").forEach((handle) => seen.observe(handle));
  return () => seen.disconnect();
}

// A page translator replaces text nodes, which Preact could then no longer update: changing content
// has translate="no".
function FigureLayout({
  figure,
  root,
  page,
}: {
  figure: Figure;
  root: HTMLElement;
  page?: UrlState;
}) {
  const { kind } = figure;
  return (
    <>
      {page && <Notice page={page} />}
      <QuestionView figure={figure} />
      <div class="drawn" translate={false}>
        <kind.View figure={figure} />
      </div>
      <Refused figure={figure} />
      <Sentence figure={figure} root={root} />
      <CodeLineView figure={figure} />
      <ObservationView figure={figure} />
      <div class="foot">
        <Toolbar figure={figure}>
          <ShareMenu figure={figure} root={root} link={page?.link} />
        </Toolbar>
        <Scales root={root} t={figure.t}>
          <ObservationNote figure={figure} />
        </Scales>
      </div>
      <Announcer figure={figure} root={root} />
    </>
  );
}

/** Explains why a link could not be opened. */
function Notice({ page: { notice } }: { page: UrlState }) {
  return (
    <p
      class="refused"
      role="status"
      translate={false}
      data-link-refused={notice.value ? "" : undefined}
    >
      {notice}
    </p>
  );
}

/** Explains why an entry was refused; otherwise empty. */
function Refused({ figure: { refused, t } }: { figure: Figure }) {
  return (
    <span role="alert" translate={false} data-error>
      {refused.value ? t(...refused.value) : ""}
    </span>
  );
}

function Sentence({ figure, root }: { figure: Figure; root: HTMLElement }) {
  const { kind, at, t, revealed, questionState } = figure;
  const hasHandle = useSignal(false); // drawn as a handle, not only a slider
  useLayoutEffect(() => {
    hasHandle.value = root.querySelector("[data-handle]:not(.held)") !== null;
  }, []);
  const text = useComputed(() =>
    questionState.pending.value
      ? t(hasHandle.value ? "guessOrMove" : "guessOrChange")
      : revealed.value
        ? (kind.sentence?.(at, t) ?? "")
        : hiddenNote(kind, t),
  );
  const answered = useMemo(() => answeredSentence(figure), []);
  // Space stays reserved for a hidden sentence.
  const hiddenText = useComputed(() =>
    revealed.value || questionState.pending.value ? undefined : kind.sentence?.(at, t),
  );
  const reserved = hiddenText.value ?? answered;
  if (!kind.sentence) return null;
  return (
    <p class="says" translate={false}>
      {reserved && (
        <span class="reserve" aria-hidden="true">
          <Markup text={reserved} />
        </span>
      )}
      <span data-sentence>
        <Markup text={text.value} />
      </span>
    </p>
  );
}

/** Returns the sentence after the question is answered, for which space is reserved. */
function answeredSentence({ kind, questionState, t, at }: Figure): string | undefined {
  if (!questionState.question || !kind.sentence) return undefined;
  const names = [...Object.keys(kind.state), ...kind.fixed, ...Object.keys(kind.viewState ?? {})];
  const state = Object.fromEntries(names.map((name) => [name, at[name]]));
  const answered = { ...state, ...questionState.question.at };
  return kind.sentence({ ...answered, ...kind.compute(answered) }, t);
}

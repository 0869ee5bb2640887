// Mounts a figure on a page: renders its view, and around it what every figure has.
import { computed, effect, untracked, useComputed, useSignal } from "@preact/signals";
import { render } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { Share } from "../share/share.tsx";
import { addressed, type Addressed } from "./addressed.ts";
import { Announcer } from "./announcer.tsx";
import { Ask } from "./ask.tsx";
import { figureOf, type Figure } from "./figure.ts";
import type { Kind } from "./kind.ts";
import { Line } from "./line.tsx";
import { Marked } from "./marked.tsx";
import type { Model } from "./model.ts";
import { followColours } from "./palette.ts";
import { printing } from "./printing.ts";
import type { Question } from "./question.ts";
import { Scales } from "./scales.tsx";
import { Toolbar } from "./toolbar.tsx";
import type { Words } from "./words.ts";

export interface Given {
  kind: Kind;
  model: Model;
  words: Words;
  question: Question | null;
  /** All that a page stores of the figure; in Jupyter there are no links and no memory. */
  stored?: Record<string, unknown>;
}

/** Draws a figure into root and keeps it up to date; returns what ends it. */
export function mount(root: HTMLElement, { kind, model, words, question, stored }: Given) {
  const figure = figureOf(kind, model, words, question);
  const page = stored && addressed(figure, root, stored);
  root.addEventListener("click", ({ target }) => choosePlace(figure, target as Element));
  root.replaceChildren();
  root.toggleAttribute("data-live", true);
  const colours = followColours(root, figure.theme);
  const unfollow = follow(figure, root);
  render(<Shell figure={figure} root={root} page={page} />, root);
  const unseen = beckon(root);
  return {
    figure,
    stop: () => {
      render(null, root);
      unfollow();
      unseen();
      figure.stop();
      colours.stop();
      root.remove();
    },
  };
}

/** A place that is asked for can be touched in the picture. */
function choosePlace({ asking }: Figure, target: Element) {
  const place = target.closest<HTMLElement>("[data-place]")?.dataset.place;
  if (place !== undefined && asking.waits.value && asking.question?.type === "place")
    asking.guess.value = Number(place);
}

/** Shows on the root what style sheets ask of it, before anything is painted. */
function follow(figure: Figure, root: HTMLElement) {
  const { kind, asking, words, open, touched, at } = figure;
  // Only when they change: a property set anew makes the browser look at the style of all within.
  const keys = computed(() => kind.columns?.(at).keys);
  const columns = computed(() => kind.columns?.(at).columns);
  const ends = [
    effect(() => {
      root.toggleAttribute("data-hidden", !open.value);
      root.toggleAttribute("data-touched", touched.value);
      if (asking.question) root.dataset.asked = asking.status.value;
      const word = asking.waits.value ? "?" : words("hidden");
      root.style.setProperty("--hidden-word", JSON.stringify(word));
    }),
    effect(() => (printing.value ? untracked(() => figure.answerOnPaper()) : undefined)),
    effect(() => {
      if (keys.value === undefined) return;
      root.style.setProperty("--keys", String(keys.value));
      root.style.setProperty("--columns", String(columns.value));
    }),
  ];
  return () => ends.forEach((end) => end());
}

/** Lets a handle beckon once it is on the screen, which may be long after the page was loaded. */
function beckon(root: HTMLElement) {
  const seen = new IntersectionObserver((found) => {
    if (!found.some(({ isIntersecting }) => isIntersecting)) return;
    root.toggleAttribute("data-seen", true);
    seen.disconnect();
  });
  root.querySelectorAll("[data-handle]").forEach((handle) => seen.observe(handle));
  return () => seen.disconnect();
}

// A page that is translated has its texts exchanged for others, which nothing here would change any
// more: what changes is not to be translated.
function Shell({ figure, root, page }: { figure: Figure; root: HTMLElement; page?: Addressed }) {
  const { kind } = figure;
  return (
    <>
      {page && <Notice page={page} />}
      <Ask figure={figure} />
      <div class="drawn" translate={false}>
        <kind.View figure={figure} />
      </div>
      <Refused figure={figure} />
      <Sentence figure={figure} root={root} />
      <Line figure={figure} />
      <div class="foot">
        <Toolbar figure={figure}>
          <Share figure={figure} root={root} link={page?.link} />
        </Toolbar>
        <Scales root={root} words={figure.words} />
      </div>
      <Announcer figure={figure} root={root} />
    </>
  );
}

/** What is wrong with a link that was followed. */
function Notice({ page: { notice } }: { page: Addressed }) {
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

/** A word about an entry that was refused; empty when all is well. */
function Refused({ figure: { refused, words } }: { figure: Figure }) {
  return (
    <span role="alert" translate={false} data-error>
      {refused.value ? words(...refused.value) : ""}
    </span>
  );
}

function Sentence({ figure, root }: { figure: Figure; root: HTMLElement }) {
  const { kind, at, words, open, asking } = figure;
  const bears = useSignal(false); // a handle that is drawn as one, and not only a slider
  useLayoutEffect(() => {
    bears.value = root.querySelector("[data-handle]:not(.held)") !== null;
  }, []);
  const text = useComputed(() =>
    asking.waits.value
      ? words(bears.value ? "guessOrMove" : "guessOrChange")
      : open.value
        ? (kind.sentence?.(at, words) ?? "")
        : words("weightsHidden"),
  );
  const asked = useMemo(() => answering(figure), []);
  // What is covered keeps its room, too.
  const covered = useComputed(() =>
    open.value || asking.waits.value ? undefined : kind.sentence?.(at, words),
  );
  const room = covered.value ?? asked;
  if (!kind.sentence) return null;
  return (
    <p class="says" translate={false}>
      {room && (
        <span class="reserve" aria-hidden="true">
          <Marked text={room} />
        </span>
      )}
      <span data-sentence>
        <Marked text={text.value} />
      </span>
    </p>
  );
}

/** What the sentence will say when the question is answered: room is kept for it. */
function answering({ kind, asking, words, at }: Figure): string | undefined {
  if (!asking.question || !kind.sentence) return undefined;
  const names = [...Object.keys(kind.state), ...kind.fixed, ...Object.keys(kind.choices ?? {})];
  const state = Object.fromEntries(names.map((name) => [name, at[name]]));
  const then = { ...state, ...asking.question.at };
  return kind.sentence({ ...then, ...kind.compute(then) }, words);
}

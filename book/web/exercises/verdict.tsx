// Renders the feedback on an answer, reserving space for the longest possible feedback.
import type { JSX } from "preact";
import type { Feedback } from "./state.ts";

/** Renders text with code between backticks. */
export function withCode(text: string): JSX.Element[] {
  return text
    .split(/`([^`]+)`/)
    .map((part, i) => (i % 2 ? <code key={i}>{part}</code> : <span key={i}>{part}</span>));
}

function Sentence({ words }: { words: string }) {
  // The feedback of a puzzle is HTML from the notebook.
  if (words.startsWith("<p>")) return <div dangerouslySetInnerHTML={{ __html: words }} />;
  return <p>{withCode(words)}</p>;
}

const verdictOf = (said: Feedback | null) =>
  said === null ? "" : said.right === null ? "none" : said.right ? "right" : "wrong";

export function Verdict({ said, possible }: { said: Feedback | null; possible: string[] }) {
  return (
    <div class="verdict-room" translate={false}>
      <div class="verdict-ghosts" aria-hidden="true">
        {possible.map((words) => (
          <Sentence key={words} words={words} />
        ))}
      </div>
      <div data-verdict={verdictOf(said)} role="status">
        {said && <Sentence words={said.words} />}
      </div>
    </div>
  );
}

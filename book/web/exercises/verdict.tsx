// Renders the feedback on an answer, reserving space for the longest possible feedback.
import type { JSX } from "preact";
import type { Feedback } from "./state.ts";

/** Renders text with code between backticks, strong words between two asterisks, emphasis between one. */
export function withCode(text: string): JSX.Element[] {
  return text.split(/(`[^`]+`|\*\*.+?\*\*|\*[^*\s][^*]*\*)/).map((part, i) => {
    if (i % 2 === 0) return <span key={i}>{part}</span>;
    if (part.startsWith("`")) return <code key={i}>{part.slice(1, -1)}</code>;
    if (!part.startsWith("**")) return <em key={i}>{part.slice(1, -1)}</em>;
    return <strong key={i}>{withCode(part.slice(2, -2))}</strong>;
  });
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

// What is said to an answer, with room kept for the longest that may be said.
import type { JSX } from "preact";
import type { Said } from "./state.ts";

/** Text of which what stands between backticks is code. */
export function marked(text: string): JSX.Element[] {
  return text
    .split(/`([^`]+)`/)
    .map((part, i) => (i % 2 ? <code key={i}>{part}</code> : <span key={i}>{part}</span>));
}

function Words({ words }: { words: string }) {
  // A puzzle's words are HTML of the notebook's own.
  if (words.startsWith("<p>")) return <div dangerouslySetInnerHTML={{ __html: words }} />;
  return <p>{marked(words)}</p>;
}

const called = (said: Said | null) =>
  said === null ? "" : said.right === null ? "none" : said.right ? "right" : "wrong";

export function Verdict({ said, possible }: { said: Said | null; possible: string[] }) {
  return (
    <div class="verdict-room" translate={false}>
      <div class="verdict-ghosts" aria-hidden="true">
        {possible.map((words) => (
          <Words key={words} words={words} />
        ))}
      </div>
      <div data-verdict={called(said)} role="status">
        {said && <Words words={said.words} />}
      </div>
    </div>
  );
}

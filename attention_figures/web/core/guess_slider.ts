// Sets up a slider for a guess, in a figure and on a phone in a room.
import type { NumberQuestion } from "./question.ts";

const MOVES = /^(Arrow|Page|Home$|End$)/;

/**
 * Attributes of a slider that starts at its low end, which is never right (question.py). There, no
 * event tells that the value was chosen, so a click and a key that would move it choose it too.
 */
export const guessSlider = (
  [low, high, step]: NonNullable<NumberQuestion["slider"]>,
  guess: number | null,
  onGuess: (guess: number) => void,
) => {
  const choose = ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    onGuess(Number(currentTarget.value));
  return {
    min: low,
    max: high,
    step,
    value: guess ?? low,
    onClick: choose,
    onKeyUp: (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
      if (MOVES.test(event.key)) choose(event);
    },
  };
};

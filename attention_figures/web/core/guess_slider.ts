// Sets up a slider for a guess, in a figure and on a phone in a room.
import type { NumberQuestion } from "./question.ts";

const MOVES = /^(Arrow|Page|Home$|End$)/;

/**
 * Attributes of a slider that starts at its low end, which is never right (question.py). No change
 * tells that the low end was chosen, so a touch, a click and a key that moves a slider choose it.
 */
export const guessSlider = (
  [low, high, step]: NonNullable<NumberQuestion["slider"]>,
  guess: number | null,
  onGuess: (guess: number) => void,
) => {
  const choose = () => {
    if (guess === null) onGuess(low);
  };
  return {
    min: low,
    max: high,
    step,
    value: guess ?? low,
    onPointerUp: choose,
    onKeyUp: ({ key }: KeyboardEvent) => {
      if (MOVES.test(key)) choose();
    },
  };
};

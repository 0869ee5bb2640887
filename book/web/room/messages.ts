// Types of the messages of a room, as tools/lecture/room.py describes them.

export type Phase = "idle" | "open" | "closed" | "revealed";
export type Part = "question" | "observation" | "item";

/** What is asked, without a text: phones take it from the book, each in its own language. */
export interface Asked {
  /** Slug of the page, such as 04-masked-softmax. */
  page: string;
  /** `data-figure` or `data-item`. */
  figure: string;
  part: Part;
  kind: "choice" | "place" | "number";
  /** How many options there are; 0 for a number. */
  options: number;
  /** Of a slider. */
  range: [number, number] | null;
  /** Of the lecturer's page, whose options are counted. */
  lang: string;
  // For the file of counts: the question and its options in the lecturer's language, and the answer.
  title?: string;
  labels?: string[];
  /** The least and the largest right guess. */
  right?: [number, number];
}

interface State {
  type: "state";
  /** New at each start of the server. */
  run: string;
  phase: Phase;
  vote: string | null;
  round: number;
}

export interface PhoneState extends State {
  question: Asked | null;
  /** The guess that the server holds for this browser. */
  mine: number | null;
}

/** A count for each option, or pairs of a number and its count. */
export type Counts = number[] | [number, number][];

export interface Round {
  counts: Counts;
  hands: Counts;
  /** Date and time, empty while it is open. */
  closed?: string;
}

export interface Asking {
  id: string;
  question: Asked;
  rounds: Round[];
}

export interface LecturerState extends State {
  asking: Asking | null;
  guessed: number;
  present: number;
  known: string[];
  address: string;
}

export type Count = { type: "count"; guessed: number; present: number };
export type Refused = { type: "error"; code: string };

/** Language and slug of this page of the book; null elsewhere. */
export const placeOf = (path: string) => {
  const found = /\/book\/(\w+)\/([\w-]+)\.html$/.exec(path);
  return found && { lang: found[1]!, page: found[2]! };
};

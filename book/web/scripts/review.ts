// Asks the questions of a review; the front page loads this script when a review begins.
import { beginReview } from "../review/asking.tsx";

window.beginReview = beginReview;

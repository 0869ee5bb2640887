// Shows exercises that are answered with code; loaded by code_place.tsx.
import { h, render } from "preact";
import { CodeView } from "../exercises/code_view.tsx";

window.showCode = (place, task) => {
  render(h(CodeView, { task }), place);
  return () => render(null, place);
};

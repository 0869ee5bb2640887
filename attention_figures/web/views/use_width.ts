// Measures the width of an element, so that a drawing's units are pixels and text is never scaled.
import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { RefObject } from "preact";

export function useWidth<T extends Element>(): [RefObject<T | null>, ReadonlySignal<number>] {
  const part = useRef<T>(null);
  const width = useSignal(0);
  useLayoutEffect(() => {
    const node = part.current!;
    const measure = () => (width.value = node.getBoundingClientRect().width || width.peek());
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, []);
  return [part, width];
}

// Defines the model that holds a figure's state: anywidget's in Jupyter, localModel on a page.

export interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
  save_changes(): void;
}

/** A model without a kernel: set() calls listeners at once, save_changes() does nothing. */
export function localModel(state: Record<string, unknown>): Model {
  const values = { ...state };
  const listeners = new Map<string, Set<() => void>>();
  return {
    get: (name) => values[name],
    set: (name, value) => {
      values[name] = value;
      listeners.get(`change:${name}`)?.forEach((listener) => listener());
    },
    on: (event, listener) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    },
    off: (event, listener) => {
      listeners.get(event)?.delete(listener);
    },
    save_changes: () => {},
  };
}

// Renders a select of named presets for the keys, and keeps keys and preset consistent.
import { oneOf, type Check } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import type { Tensor } from "../maths/tensor.ts";
import { Select } from "./choice.tsx";

const OWN = "own";

/** The traits of a figure with presets; key_presets is empty if it has none. */
export interface Presets {
  keys_: Tensor; // (B, K, key size)
  key_preset: string;
  /** Keys by name; "own" holds those that the reader typed last. */
  key_presets: Record<string, Tensor>;
}

export const isPreset: Check<Presets> = oneOf<Presets>(({ key_presets }) => {
  const names = Object.keys(key_presets);
  return names.length ? names : [OWN];
});

/** Replaces the keys when a preset is selected, and selects "own" when other keys are typed. */
export function withPreset<S extends Presets>(next: S, before: S): S {
  if (next.keys_ === before.keys_ && next.key_preset === before.key_preset) return next;
  const chosen = next.key_presets[next.key_preset];
  if (!chosen || String(next.keys_) === String(chosen)) return next;
  if (next.key_preset !== before.key_preset) return { ...next, keys_: chosen };
  return { ...next, key_preset: OWN, key_presets: { ...next.key_presets, [OWN]: next.keys_ } };
}

export function PresetSelect({ figure }: { figure: Figure<Presets> }) {
  const { at, t } = figure;
  const choices = Object.keys(at.key_presets);
  if (!choices.length) return null;
  return (
    <Select
      name="key_preset"
      label={t("keys")}
      value={at.key_preset}
      choices={choices}
      format={(preset) => t(`preset_${preset}`)}
      change={(preset) => figure.set({ key_preset: preset })}
    />
  );
}

/** What a user chooses. Each has its options in `strength-options.ts`. */
export const PRESETS = ['low', 'medium', 'high'] as const
export type Preset = (typeof PRESETS)[number]

/**
 * What is applied to one file, strongest first: a file that is too large for one gets the next. `light` is medium without what grows with
 * the size of the code; `names` renames and compresses alone.
 */
export const STRENGTHS = ['high', 'medium', 'light', 'low', 'names'] as const
export type Strength = (typeof STRENGTHS)[number]

/** Parts of the protection that a preset switches on, and a choice switches on or off. */
export const PARTS = ['strings', 'split', 'flow', 'dead', 'numbers', 'keys'] as const
export type Part = (typeof PARTS)[number]

/** Choices beside the preset. Times are epoch milliseconds. */
export interface ScriptOptions {
  readonly preset: Preset
  /** Only what differs from the preset. */
  readonly parts: Readonly<Partial<Record<Part, boolean>>>
  /** Names that stay; `*` matches any characters. */
  readonly reservedNames: readonly string[]
  /** Strings that stay readable; `*` matches any characters. */
  readonly reservedStrings: readonly string[]
  readonly sourceMap: boolean
  /** Host names; one that begins with a dot counts for everything below it. A deterrent: code that is read can be changed. */
  readonly domainLock: readonly string[]
  /** Fails when the code is reformatted. A deterrent as well. */
  readonly selfDefending: boolean
  /** The code refuses to run outside of these times, by the clock of the device. A deterrent as well. */
  readonly timeLock: { readonly from: number | null; readonly until: number | null } | null
}

export const SCRIPT_OPTIONS: ScriptOptions = {
  preset: 'medium',
  parts: {},
  reservedNames: [],
  reservedStrings: [],
  sourceMap: false,
  domainLock: [],
  selfDefending: false,
  timeLock: null,
}

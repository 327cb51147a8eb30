/** What the tools show and take at most. */
export const TOOL_LIMITS = {
  /** Entries of an archive that the inspector lists. */
  entries: 5000,
  /** Rows of each kind of change that the comparison lists. */
  changes: 1000,
  /** Characters of a manifest that are shown. */
  manifest: 256 * 1024,
  certificates: 200,
  /** Characters of an expression and of the text that it is tried on: those of an own rule. */
  expression: 1000,
  text: 16_384,
  words: 200,
  matches: 500,
} as const

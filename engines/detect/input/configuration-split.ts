import type { ApkFacts } from '../../apk/apk-facts.ts'

/** Resources or native libraries for one language, density or ABI: no code, no components, and nothing said of the application. */
export const isConfigurationSplit = ({ split, configForSplit, components, dexEntries }: ApkFacts): boolean =>
  split !== null &&
  (configForSplit !== null || /(?:^|\.)config\./.test(split.value)) &&
  components.length === 0 &&
  dexEntries.length === 0

import type { ObfuscatorOptions } from 'javascript-obfuscator/dist/index.browser.js'
import { MOST_TOKENS } from './read-script.ts'
import { type Part, PRESETS, type Preset, type ScriptOptions, STRENGTHS, type Strength } from './script-options.ts'

/** Which parts each strength has. */
export const STRENGTH_PARTS: Readonly<Record<Strength, readonly Part[]>> = {
  high: ['strings', 'split', 'flow', 'dead', 'numbers', 'keys'],
  medium: ['strings', 'split', 'flow', 'numbers', 'keys'],
  light: ['strings', 'flow'],
  low: ['strings'],
  names: [],
}

/**
 * The largest script that a strength takes, in tokens: up to it a run stays below a minute and below 2 GB here
 * (docs/areas/js-protection.md holds the measurements). Above the last one a script is refused.
 */
export const STRENGTH_TOKENS: Readonly<Record<Strength, number>> = {
  high: 100_000,
  medium: 300_000,
  light: 800_000,
  low: 1_500_000,
  names: MOST_TOKENS,
}

/** The strength that a script of this size gets from a preset; undefined where it is too large for every one. */
export function strengthFor(preset: Preset, tokens: number, below?: Strength): Strength | undefined {
  const from = below === undefined ? STRENGTHS.indexOf(preset) : STRENGTHS.indexOf(below) + 1
  return STRENGTHS.slice(from).find((one) => tokens <= STRENGTH_TOKENS[one])
}

export const isPreset = (text: string): text is Preset => (PRESETS as readonly string[]).includes(text)

/** Settings of the obfuscator. `split` and `flow` of a lower strength are weaker. */
export function obfuscatorOptions(strength: Strength, options: ScriptOptions, seed: number): ObfuscatorOptions {
  const has = (part: Part) => {
    const standard = STRENGTH_PARTS[strength].includes(part)
    // What was chosen by hand holds where the file has the strength that was asked for, or takes away.
    const chosen = options.parts[part]
    return chosen === undefined ? standard : chosen && (strength === options.preset || standard)
  }
  const [isHigh, isMedium] = [strength === 'high', strength === 'medium']
  const strings = has('strings')
  return {
    compact: true,
    log: false,
    seed,
    target: 'browser-no-eval',
    renameGlobals: false,
    renameProperties: false,
    ignoreImports: true,
    identifierNamesGenerator: isHigh || isMedium ? 'hexadecimal' : 'mangled',
    simplify: true,
    stringArray: strings,
    stringArrayThreshold: strings ? (isHigh ? 1 : 0.75) : 0,
    stringArrayEncoding: isHigh ? ['rc4'] : isMedium || strength === 'light' ? ['base64'] : [],
    stringArrayRotate: strings,
    stringArrayShuffle: strings,
    stringArrayCallsTransform: strings && (isHigh || isMedium),
    stringArrayCallsTransformThreshold: isHigh ? 0.75 : 0.5,
    stringArrayWrappersCount: strings ? (isHigh ? 5 : isMedium ? 1 : 0) : 0,
    stringArrayWrappersType: isHigh ? 'function' : 'variable',
    stringArrayWrappersChainedCalls: isHigh,
    splitStrings: has('split'),
    splitStringsChunkLength: isHigh ? 5 : 10,
    controlFlowFlattening: has('flow'),
    controlFlowFlatteningThreshold: isHigh ? 0.75 : isMedium ? 0.5 : 0.1,
    // It hides calls among those of the string array, so it needs it.
    deadCodeInjection: has('dead') && strings,
    deadCodeInjectionThreshold: 0.2,
    numbersToExpressions: has('numbers'),
    transformObjectKeys: has('keys'),
    selfDefending: options.selfDefending,
    domainLock: [...options.domainLock],
    domainLockRedirectUrl: 'about:blank',
    reservedNames: options.reservedNames.map(wholePattern),
    reservedStrings: options.reservedStrings.map(wholePattern),
    sourceMap: options.sourceMap,
    sourceMapMode: 'separate',
    sourceMapSourcesMode: 'sources-content',
  }
}

/** A name with `*` as the regular expression that the obfuscator wants: of the whole name, without backtracking between stars. */
function wholePattern(name: string): string {
  return `^${name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*')}$`
}

import './browser-global.ts'
import type { Program } from 'acorn'
import obfuscator from 'javascript-obfuscator/dist/index.browser.js'
import { withDirectivesFirst, withoutStrayStrings } from './directives.ts'
import { parseScript, type ReadScript, readScript, type ScriptWarning } from './read-script.ts'
import type { Part, ScriptOptions, Strength } from './script-options.ts'
import { ScriptRefused } from './script-refused.ts'
import { obfuscatorOptions, strengthFor } from './strength-options.ts'
import { withTimeLock } from './time-lock.ts'

export interface ProtectedScript {
  readonly code: string
  /** Source map, version 3; null where none was asked for. It never belongs beside the code that is shipped. */
  readonly map: string | null
  readonly strength: Strength
  readonly tokens: number
  readonly warnings: readonly ScriptWarning[]
  /** Parts that do not fit this code and were left out. */
  readonly leftOut: readonly Part[]
}

export interface ProtectOrder {
  /** Path of the script; it is part of the source map. */
  readonly name: string
  readonly options: ScriptOptions
  /** Equal seeds give equal output. */
  readonly seed: number
  /** Only strengths below this one: it went over a limit of time or memory. */
  readonly below?: Strength
}

/** Protects one script. Throws ScriptRefused; then the original stays. */
export function protectScript(bytes: Uint8Array, order: ProtectOrder): ProtectedScript {
  const read = readScript(bytes, order.name)
  const strength = strengthFor(order.options.preset, read.tokens, order.below)
  if (strength === undefined) throw new ScriptRefused('too-large', `${read.tokens} tokens`)
  return protectRead(read, strength, order)
}

/** What does not fit some code, in the order in which it is left out. */
const LEFT_OUT: readonly (readonly Part[])[] = [[], ['flow'], ['flow', 'numbers', 'keys', 'dead']]

/**
 * Protects a script that was read, with this strength whatever its size. Where the result of a part is no valid script, it is protected
 * without that part.
 */
export function protectRead(read: ReadScript, strength: Strength, order: Omit<ProtectOrder, 'below'>): ProtectedScript {
  // The obfuscator returns nothing for nothing but comments; so do we, without a lock around it.
  const { tokens, warnings } = read
  if (read.program.body.length === 0) return { code: '', map: null, strength, tokens, warnings, leftOut: [] }
  let last: unknown
  for (const leftOut of LEFT_OUT)
    try {
      return { ...transform(read, strength, order, leftOut), strength, tokens, warnings, leftOut }
    } catch (error) {
      if (!(error instanceof ScriptRefused) || error.key !== 'output') throw error
      last = error
    }
  throw last
}

function transform(
  read: ReadScript,
  strength: Strength,
  { name, options, seed }: Omit<ProtectOrder, 'below'>,
  leftOut: readonly Part[],
): Pick<ProtectedScript, 'code' | 'map'> {
  const parts = { ...options.parts, ...Object.fromEntries(leftOut.map((part) => [part, false])) }
  const settings = obfuscatorOptions(strength, { ...options, parts }, seed)
  const plain = withoutStrayStrings(read.text, read.program)
  let code: string
  let map: string | null
  try {
    const result = obfuscator.obfuscate(withTimeLock({ ...read, text: plain }, options.timeLock), settings)
    code = withoutMapAddress(result.getObfuscatedCode())
    map = options.sourceMap ? mapOf(result.getSourceMap(), name, read.text) : null
  } catch (error) {
    if (error instanceof RangeError) throw new ScriptRefused('too-deep', 'nested too deeply')
    throw new ScriptRefused('engine', (error as Error).message.slice(0, 300))
  }
  return { code: withDirectivesFirst(code, readOutput(code, name, read)), map }
}

/** What is delivered parses as what it was. */
function readOutput(code: string, name: string, { sourceType }: ReadScript): Program {
  try {
    return parseScript(code, sourceType === 'module' ? '.mjs' : name).program
  } catch (error) {
    throw new ScriptRefused('output', (error as Error).message)
  }
}

/** The map with the name and the text of the source, which the obfuscator does not put into it. */
function mapOf(map: string, name: string, text: string): string {
  const { version, names, mappings } = JSON.parse(map) as { version: number; names: string[]; mappings: string }
  return JSON.stringify({ version, file: name, sources: [name], sourcesContent: [text], names, mappings })
}

/** The address of a map would say where the source is. */
function withoutMapAddress(code: string): string {
  return code.replace(/\n?\/\/# sourceMappingURL=[^\n]*\s*$/, '')
}

import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { FormatError } from '#engines/bytes/format-error.ts'
import { type ProtectedScript, protectScript } from '#engines/jsguard/protect-script.ts'
import { isScriptName, openScriptArchive, scriptBytes } from '#engines/jsguard/script-archive.ts'
import { SCRIPT_OPTIONS, type ScriptOptions } from '#engines/jsguard/script-options.ts'
import { ScriptRefused } from '#engines/jsguard/script-refused.ts'
import { isPreset } from '#engines/jsguard/strength-options.ts'
import { replaceEntries } from '#engines/zip/replace-entries.ts'
import type { ZipEntry } from '#engines/zip/zip-facts.ts'
import { readWhole } from './open-file.ts'
import { printable } from './printable.ts'
import { UsageError } from './usage-error.ts'

export const JSGUARD_USAGE = `appwarden jsguard IN --out OUT [--preset low|medium|high]
    [--maps FOLDER] [--reserved-names A,B*] [--reserved-strings A,B] [--domains a.example,.b.example]
    [--from DATE] [--until DATE] [--self-defending] [--seed N] [--format text|json]
  IN is a .js, .mjs or .cjs file, a .zip, or a folder; OUT is of the same kind.`

type Line = {
  file: string
  outcome: 'protected' | 'kept'
  strength: string | null
  reason: string
  line: number
  column: number
  before: number
  after: number
}
type Asked = {
  input: string
  output: string
  maps: string | undefined
  options: ScriptOptions
  seed: number
  format: 'text' | 'json'
}

/**
 * `appwarden jsguard IN --out OUT`: protects a script, the scripts of an archive or of a folder, without a server. Exit code: 0 done; 1 done,
 * but files were stepped down or keep their original; 2 not understood, unreadable, or nothing could be protected (then nothing is written).
 */
export function jsguardCommand(args: readonly string[], print: (text: string) => void): number {
  const asked = readArguments(args)
  if (typeof asked === 'string') {
    print(`${asked}\n\n${JSGUARD_USAGE}`)
    return 2
  }
  const lines: Line[] = []
  let write: () => void
  try {
    write = statSync(asked.input).isDirectory()
      ? ofFolder(asked, lines)
      : /\.zip$/i.test(asked.input)
        ? ofArchive(asked, lines)
        : ofFile(asked, lines)
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof FormatError || 'code' in (error as object))) throw error
    print(printable((error as Error).message))
    return 2
  }
  const isDone = lines.some(({ outcome }) => outcome === 'protected')
  if (isDone) write()
  const code = !isDone
    ? 2
    : lines.every(({ strength, reason }) => strength === asked.options.preset && reason === '')
      ? 0
      : 1
  print(asked.format === 'json' ? JSON.stringify({ code, files: lines }, null, 2) : textOf(lines, asked, code))
  return code
}

function readArguments(args: readonly string[]): Asked | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        out: { type: 'string' },
        preset: { type: 'string', default: 'medium' },
        maps: { type: 'string' },
        'reserved-names': { type: 'string', default: '' },
        'reserved-strings': { type: 'string', default: '' },
        domains: { type: 'string', default: '' },
        from: { type: 'string' },
        until: { type: 'string' },
        'self-defending': { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
        format: { type: 'string', default: 'text' },
      },
    })
    const [input, ...more] = positionals
    const { out, preset, format, seed } = values
    if (input === undefined || more.length > 0) return 'One file, archive or folder is wanted'
    if (out === undefined) return '--out is missing'
    if (resolve(out) === resolve(input)) return '--out is the input itself'
    if (!isPreset(preset)) return `Unknown preset: ${preset}`
    if (format !== 'text' && format !== 'json') return `Unknown format: ${format}`
    if (!/^\d{1,9}$/.test(seed)) return '--seed takes a number'
    const [from, until] = [timeOf(values.from), timeOf(values.until)]
    if (Number.isNaN(from) || Number.isNaN(until)) return 'A date is written as 2027-01-31 or 2027-01-31T12:00:00Z'
    if (from !== null && until !== null && until <= from) return '--until is before --from'
    const listed = (text: string) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '')
    const domainLock = listed(values.domains)
    const wrong = domainLock.find((one) => !/^\.?[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(one))
    if (wrong !== undefined) return `Not a domain: ${wrong}`
    return {
      input,
      output: out,
      maps: values.maps,
      seed: Number(seed),
      format,
      options: {
        ...SCRIPT_OPTIONS,
        preset,
        reservedNames: listed(values['reserved-names']),
        reservedStrings: listed(values['reserved-strings']),
        sourceMap: values.maps !== undefined,
        domainLock,
        selfDefending: values['self-defending'],
        timeLock: from === null && until === null ? null : { from, until },
      },
    }
  } catch (error) {
    return (error as Error).message
  }
}

/** NaN for what is no date; null where none was given. */
function timeOf(text: string | undefined): number | null {
  return text === undefined ? null : Date.parse(text)
}

/** One script. Answers what writes the result. */
function ofFile(asked: Asked, lines: Line[]): () => void {
  if (!isScriptName(asked.input)) throw new UsageError(`JS format! ${asked.input} is no .js, .mjs, .cjs or .zip file`)
  const name = asked.input.split(sep).at(-1) as string
  const result = protectOne(readWhole(asked.input), name, asked, lines)
  return () => {
    if (!result) return
    put(asked.output, result.code)
    putMap(asked, name, result)
  }
}

/** The scripts of an archive; order, folders and all other entries stay. */
function ofArchive(asked: Asked, lines: Line[]): () => void {
  const archive = openScriptArchive(readWhole(asked.input))
  const replaced = new Map<ZipEntry, Uint8Array>()
  const results: [string, ProtectedScript][] = []
  for (const entry of archive.scripts) {
    const result = protectOne(() => scriptBytes(archive, entry), entry.name, asked, lines, entry.size)
    if (!result) continue
    replaced.set(entry, Buffer.from(result.code))
    results.push([entry.name, result])
  }
  return () => {
    put(asked.output, replaceEntries(archive.zip, replaced))
    for (const [name, result] of results) putMap(asked, name, result)
  }
}

/** A folder with everything below it; links are left out, and so is the output where it lies inside. */
function ofFolder(asked: Asked, lines: Line[]): () => void {
  const inside = [asked.output, ...(asked.maps === undefined ? [] : [asked.maps])].map((one) => resolve(one))
  const files = readdirSync(asked.input, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((path) => !inside.some((folder) => resolve(path) === folder || resolve(path).startsWith(`${folder}${sep}`)))
    .sort()
  if (!files.some(isScriptName)) throw new UsageError(`${asked.input} holds no .js, .mjs or .cjs file`)
  const results: { path: string; name: string; result: ProtectedScript | undefined }[] = []
  for (const path of files) {
    const name = relative(asked.input, path).split(sep).join('/')
    const result = isScriptName(path) ? protectOne(readWhole(path), name, asked, lines) : undefined
    results.push({ path, name, result })
  }
  return () => {
    for (const { path, name, result } of results) {
      put(join(asked.output, name), result ? result.code : readWhole(path))
      if (result) putMap(asked, name, result)
    }
  }
}

function protectOne(
  bytes: Uint8Array | (() => Uint8Array),
  name: string,
  { options, seed }: Asked,
  lines: Line[],
  size = typeof bytes === 'function' ? 0 : bytes.length,
): ProtectedScript | undefined {
  const line = { file: name, before: size, line: 0, column: 0, reason: '' }
  try {
    const result = protectScript(typeof bytes === 'function' ? bytes() : bytes, { name, options, seed })
    const reason = [
      result.strength === options.preset ? '' : `too large for ${options.preset}`,
      result.leftOut.length > 0 ? `left out: ${result.leftOut.join(', ')}` : '',
    ]
      .filter(Boolean)
      .join('; ')
    lines.push({
      ...line,
      outcome: 'protected',
      strength: result.strength,
      reason,
      after: Buffer.byteLength(result.code),
    })
    return result
  } catch (error) {
    if (!(error instanceof ScriptRefused || error instanceof FormatError)) throw error
    const place = error instanceof ScriptRefused ? { line: error.line, column: error.column } : { line: 0, column: 0 }
    lines.push({
      ...line,
      ...place,
      outcome: 'kept',
      strength: null,
      reason: `${error.key}: ${error.message}`,
      after: size,
    })
    return undefined
  }
}

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

function putMap({ maps }: Asked, name: string, { map }: ProtectedScript): void {
  // Names of an archive that lead out of a folder were refused when it was opened.
  if (maps !== undefined && map !== null) put(join(maps, `${name}.map`), map)
}

function textOf(lines: readonly Line[], { output, options }: Asked, code: number): string {
  const report = lines.map(({ file, strength, reason, line, column, before, after }) => {
    const place = line > 0 ? `:${line}:${column}` : ''
    const what = strength === null ? 'KEPT' : strength
    return `${what.padEnd(8)} ${printable(file)}${place}  ${before} -> ${after} B${reason && `  ${printable(reason)}`}`
  })
  const end =
    code === 2 ? 'nothing was protected, nothing is written' : `${options.preset}, written to ${printable(output)}`
  return [...report, end].join('\n')
}

import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { ZipFile } from 'yazl'
import { SCRIPT_REASONS, type ScriptOutcome } from '#contracts/http/js-protection.ts'
import { MAX_SCRIPT_BYTES } from '#engines/jsguard/read-script.ts'
import { isScriptName } from '#engines/jsguard/script-archive.ts'
import { SCRIPT_OPTIONS, type ScriptOptions } from '#engines/jsguard/script-options.ts'
import { isPreset } from '#engines/jsguard/strength-options.ts'
import {
  ProtectionFailed,
  type ProtectionResult,
  protectInWorkers,
  SCRIPT_SECONDS,
} from '#server/modules/js-protection/protect-in-workers.ts'
import { readWhole } from './open-file.ts'
import { printable } from './printable.ts'
import { UsageError } from './usage-error.ts'

export const JSGUARD_USAGE = `appwarden jsguard IN --out OUT [--preset low|medium|high]
    [--maps FOLDER] [--reserved-names A,B*] [--reserved-strings A,B] [--domains a.example,.b.example]
    [--from DATE] [--until DATE] [--self-defending] [--seed N] [--format text|json]
  IN is a .js, .mjs or .cjs file, a .zip, or a folder; OUT is of the same kind.
  A script that takes longer than ${SCRIPT_SECONDS} s or too much memory gets the next lower strength, at last it keeps its original.`

type Asked = {
  input: string
  output: string
  maps: string | undefined
  options: ScriptOptions
  seed: number
  format: 'text' | 'json'
  scriptSeconds: number | undefined
}

/**
 * `appwarden jsguard IN --out OUT`: protects a script, the scripts of an archive or of a folder, without a server. The work is done by the
 * server's script worker in a child process, with the same limits of time and memory. Exit code: 0 done; 1 done, but files were stepped
 * down or keep their original; 2 not understood, unreadable, or nothing could be protected (then nothing is written).
 */
export async function jsguardCommand(
  args: readonly string[],
  print: (text: string) => void,
  scriptSeconds?: number,
): Promise<number> {
  const read = readArguments(args)
  if (typeof read === 'string') {
    print(`${read}\n\n${JSGUARD_USAGE}`)
    return 2
  }
  const asked = { ...read, scriptSeconds }
  let done: Done
  try {
    done = await (statSync(asked.input).isDirectory()
      ? ofFolder(asked)
      : /\.zip$/i.test(asked.input)
        ? ofArchive(asked)
        : ofFile(asked))
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ProtectionFailed || 'code' in (error as object))) throw error
    const key = error instanceof ProtectionFailed ? `${error.key}: ` : ''
    print(printable(`${key}${(error as Error).message}`))
    return 2
  }
  const lines = done.outcomes.map(lineOf)
  const isDone = lines.some(({ outcome }) => outcome === 'protected')
  if (isDone) done.write()
  const code = !isDone
    ? 2
    : lines.every(({ strength, reason }) => strength === asked.options.preset && reason === '')
      ? 0
      : 1
  print(asked.format === 'json' ? JSON.stringify({ code, files: lines }, null, 2) : textOf(lines, asked, code))
  return code
}

function readArguments(args: readonly string[]): Omit<Asked, 'scriptSeconds'> | string {
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

type Done = { outcomes: readonly ScriptOutcome[]; write(): void }

/** Bytes of a script or an archive, given to workers as an upload is, but without a sandbox: what is read here is the caller's own. */
async function protect(bytes: Buffer, name: string, asked: Asked): Promise<ProtectionResult> {
  const result = await protectInWorkers({
    ...{ name, size: bytes.length, input: () => [bytes] },
    options: asked.options,
    seed: asked.seed,
    isolation: { prefix: [], kept: [], missing: [] },
    signal: new AbortController().signal,
    scriptSeconds: asked.scriptSeconds,
  })
  if (!result) throw new UsageError('stopped')
  return result
}

async function ofFile(asked: Asked): Promise<Done> {
  if (!isScriptName(asked.input)) throw new UsageError(`JS format! ${asked.input} is no .js, .mjs, .cjs or .zip file`)
  const { outcomes, codes, maps } = await protect(readWhole(asked.input), basename(asked.input), asked)
  return {
    outcomes,
    write() {
      for (const code of codes.values()) put(asked.output, code)
      putMaps(asked, maps)
    },
  }
}

/** The scripts of an archive; order, folders and all other entries stay. */
async function ofArchive(asked: Asked): Promise<Done> {
  const { outcomes, parts, maps } = await protect(readWhole(asked.input), basename(asked.input), asked)
  return {
    outcomes,
    write() {
      put(asked.output, Buffer.concat(parts))
      putMaps(asked, maps)
    },
  }
}

/** A folder with everything below it; links are left out, and so is the output where it lies inside. */
async function ofFolder(asked: Asked): Promise<Done> {
  const inside = [asked.output, ...(asked.maps === undefined ? [] : [asked.maps])].map((one) => resolve(one))
  const files = readdirSync(asked.input, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((path) => !inside.some((folder) => resolve(path) === folder || resolve(path).startsWith(`${folder}${sep}`)))
    .sort()
  const nameOf = (path: string) => relative(asked.input, path).split(sep).join('/')
  const scripts = files.filter(isScriptName)
  if (scripts.length === 0) throw new UsageError(`${asked.input} holds no .js, .mjs or .cjs file`)
  // An archive of the scripts, since one worker takes one upload: what it would refuse as a whole stays outside.
  const sizes = new Map(scripts.map((path) => [path, statSync(path).size]))
  const sizeOf = (path: string) => sizes.get(path) ?? 0
  const taken = scripts.filter((path) => sizeOf(path) > 0 && sizeOf(path) <= MAX_SCRIPT_BYTES)
  const { outcomes, codes, maps } =
    taken.length > 0
      ? await protect(await packed(taken, nameOf), 'folder.zip', asked)
      : { outcomes: [], codes: new Map<number, Buffer>(), maps: new Map<string, string>() }
  const tooLarge = scripts.filter((path) => sizeOf(path) > MAX_SCRIPT_BYTES)
  return {
    outcomes: [...outcomes, ...tooLarge.map((path) => keptFor(nameOf(path), sizeOf(path)))],
    write() {
      for (const path of files) put(join(asked.output, nameOf(path)), codes.get(taken.indexOf(path)) ?? readWhole(path))
      putMaps(asked, maps)
    },
  }
}

async function packed(paths: readonly string[], nameOf: (path: string) => string): Promise<Buffer> {
  const zip = new ZipFile()
  for (const path of paths) zip.addBuffer(readWhole(path), nameOf(path), { compress: false })
  zip.end()
  const parts: Buffer[] = []
  for await (const part of zip.outputStream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** A script above the largest size keeps its original. */
function keptFor(name: string, size: number): ScriptOutcome {
  return {
    ...{ name, size, bytes: size, outcome: 'kept', strength: null, reason: 'too-large' },
    ...{ line: 0, column: 0, detail: '', milliseconds: 0, eval_lines: [] },
  }
}

type Line = ReturnType<typeof lineOf>

/** What became of a file, as it is printed. */
function lineOf({ name, outcome, strength, reason, detail, line, column, size, bytes }: ScriptOutcome) {
  const why = [
    reason === null || reason === 'parts' ? '' : SCRIPT_REASONS[reason].en,
    outcome === 'protected' && detail !== '' ? `left out: ${detail}` : detail,
  ]
  return {
    ...{ file: name, outcome, strength, reason: why.filter(Boolean).join('; ') },
    ...{ line, column, before: size, after: bytes },
  }
}

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

function putMaps({ maps: folder }: Asked, maps: ReadonlyMap<string, string>): void {
  if (folder === undefined) return
  // Names of an archive that lead out of a folder were refused when it was opened.
  for (const [name, map] of maps) put(join(folder, `${name}.map`), map)
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

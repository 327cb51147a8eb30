import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { FormatError } from '#engines/bytes/format-error.ts'
import type { Program } from '#engines/dex/program.ts'
import { type CodeEntry, readProgram } from '#engines/dex/read-program.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'

/** What python's zipfile and dexdump say of the dex files of a package. */
interface Truth {
  file: string
  type: string
  dexCount?: number
  classCount?: number
  dexHeader?: Record<string, { strings: number; methods: number; classDefs: number }>
}

const folder = process.env['CORPUS_DIR']
const truths = folder ? packagesIn(folder) : []
const agreed = new Map<string, number>()
const noted: string[] = []
const hasDexdump = ['/usr/bin/dexdump', '/usr/local/bin/dexdump'].some((path) => existsSync(path))
const scratch = mkdtempSync(join(tmpdir(), 'aw-dex-'))

function packagesIn(root: string): { truth: Truth; path: string }[] {
  const lines = readFileSync(join(root, 'ground-truth.jsonl'), 'utf8').trim().split('\n')
  return lines
    .map((line) => JSON.parse(line) as Truth)
    .filter((truth) => truth.type === 'apk')
    .flatMap((truth) => {
      const path = ['committed', 'packages']
        .map((part) => join(root, part, truth.file))
        .find((name) => existsSync(name))
      return path ? [{ truth, path }] : []
    })
}

function dexEntries(path: string): CodeEntry[] {
  const zip = readZip(new Uint8Array(readFileSync(path)))
  return [...zip.byName.values()]
    .filter((entry) => /^classes\d*\.dex$/.test(entry.name))
    .flatMap((entry) => {
      try {
        return [{ entry: entry.name, bytes: entryBytes(zip, entry) }]
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        noted.push(`${path.split('/').at(-1)} ${entry.name}: ${error.message}`)
        return []
      }
    })
}

function entriesOrNone(path: string): CodeEntry[] {
  try {
    return dexEntries(path)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return []
  }
}

/** Asks for everything that a rule may ask of every method, so that nothing stays unread. */
function readWhole(program: Program): { calls: number; decided: number } {
  let calls = 0
  let decided = 0
  for (const one of program.classes()) {
    void [one.superclass, one.interfaces, one.annotations, one.fields, one.sourceFile]
    for (const method of one.methods) {
      void [method.reference, method.parameters, method.annotations]
      for (const call of program.callsFrom(method)) {
        calls++
        void [call.line, call.kind, call.callee]
        if (program.argument(call, 1).kind !== 'unknown') decided++
      }
    }
  }
  for (const text of program.stringConstants()) void text.value
  return { calls, decided }
}

/** Each call with its location and each location that loads a text, as dexdump disassembles them. */
function dexdumpSays({ entry, bytes }: CodeEntry): { calls: Set<string>; texts: number } {
  const copy = join(scratch, entry)
  writeFileSync(copy, bytes)
  const listing = execFileSync('dexdump', ['-d', copy], {
    maxBuffer: 2 ** 30,
    encoding: 'latin1',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const calls = new Set<string>()
  for (const [, at = '', owner, name, signature] of listing.matchAll(
    /^([0-9a-f]+):.*\|[0-9a-f]{4}: invoke-[^{]*\{.*\}, (\S+)\.(\S+):(\S+?)(?:, \S+)? \/\/ method/gm,
  ))
    calls.add(`${Number.parseInt(at, 16)} ${owner}->${name}${signature}`)
  return { calls, texts: [...listing.matchAll(/: const-string/g)].length }
}

describe.skipIf(!folder)('corpus: code of packages', () => {
  test.each(truths.map((item) => [item.truth.file, item] as const))(
    'code of the package %s equals the expected one',
    { timeout: 60_000 },
    (file, { truth, path }) => {
      const check = (field: string, theirs: unknown, ours: unknown) => {
        expect([field, ours]).toEqual([field, theirs])
        agreed.set(field, (agreed.get(field) ?? 0) + 1)
      }
      let entries: CodeEntry[]
      try {
        entries = dexEntries(path)
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        noted.push(`${file}: ${error.message}`)
        return
      }
      const program = readProgram(entries)
      for (const { entry, notes } of program.dexes)
        for (const note of notes) noted.push(`${file} ${entry} ${note.key} at ${note.offset}: ${note.detail}`)
      if (truth.dexCount !== undefined) check('dexCount', truth.dexCount, entries.length)
      const classes = program.dexes.reduce((sum, dex) => sum + dex.classCount, 0)
      if (truth.classCount) check('classCount', truth.classCount, classes)
      for (const [entry, header] of Object.entries(truth.dexHeader ?? {})) {
        const dex = program.dexes.find((one) => one.entry === entry)
        const ours = dex && { strings: dex.stringCount, methods: dex.methodCount, classDefs: dex.classCount }
        check('dexHeader', header, ours)
      }
      readWhole(program)
    },
  )

  test.skipIf(!hasDexdump).each(truths.map((item) => [item.truth.file, item] as const))(
    '%s: each call and each text where dexdump sees it',
    { timeout: 120_000 },
    (_, { path }) => {
      for (const part of entriesOrNone(path)) {
        const says = dexdumpSays(part)
        // Of a file that it refuses, dexdump says nothing.
        if (says.calls.size === 0) continue
        const program = readProgram([part])
        const calls = [...program.classes()].flatMap(({ methods }) =>
          methods.flatMap((method) => program.callsFrom(method).map(({ offset, callee }) => `${offset} ${callee}`)),
        )
        expect(calls.filter((call) => !says.calls.has(call))).toEqual([])
        expect(new Set(calls).size).toBe(says.calls.size)
        const texts = [...program.stringConstants()].reduce((sum, { locations }) => sum + locations.length, 0)
        expect(texts).toBe(says.texts)
        agreed.set('calls', (agreed.get('calls') ?? 0) + says.calls.size)
        agreed.set('texts', (agreed.get('texts') ?? 0) + texts)
      }
    },
  )

  afterAll(() => {
    rmSync(scratch, { recursive: true })
    const fields = [...agreed].map(([field, count]) => `${field} ${count}`).join(', ')
    console.info(`${truths.length} packages; equal: ${fields}\nnotes: ${noted.length}\n${noted.join('\n')}`)
  })
})

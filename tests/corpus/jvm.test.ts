import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { CodeEntry } from '#engines/dex/read-program.ts'
import { jarClasses } from '#engines/jvm/jar-classes.ts'
import { readJvmProgram } from '#engines/jvm/read-jvm-program.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'

interface Truth {
  file: string
  type: string
  classFiles?: number
}

/** So many class files of an archive are disassembled for comparison. */
const COMPARED = 300
const folder = process.env['CORPUS_DIR']
const hasJavap = canRun('javap')
const scratch = mkdtempSync(join(tmpdir(), 'aw-jvm-'))

function canRun(command: string): boolean {
  try {
    execFileSync(command, ['-version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function archivesIn(root: string): { truth: Truth; path: string }[] {
  return readFileSync(join(root, 'ground-truth.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Truth)
    .filter(({ type }) => type === 'jar' || type === 'aar')
    .flatMap((truth) => {
      const path = ['committed', 'packages']
        .map((part) => join(root, part, truth.file))
        .find((name) => existsSync(name))
      return path ? [{ truth, path }] : []
    })
}

/** The archive itself, or the one inside an AAR. */
function jarOf({ type }: Truth, path: string): Uint8Array | undefined {
  const bytes = new Uint8Array(readFileSync(path))
  if (type === 'jar') return bytes
  const zip = readZip(bytes)
  const inner = zip.byName.get('classes.jar')
  return inner && entryBytes(zip, inner)
}

/** Calls and loaded texts of class files, as javap disassembles them. */
function javapCounts(classes: readonly CodeEntry[]): { calls: number; texts: number } {
  const copies = classes.map(({ bytes }, i) => {
    const copy = join(scratch, `C${i}.class`)
    writeFileSync(copy, bytes)
    return copy
  })
  const listing = execFileSync('javap', ['-c', '-p', ...copies], { encoding: 'utf8', maxBuffer: 2 ** 30 })
  return {
    calls: [...listing.matchAll(/^\s+\d+: invoke(?!dynamic)\w+/gm)].length,
    texts: [...listing.matchAll(/^\s+\d+: ldc\w*\s.*\/\/ String/gm)].length,
  }
}

describe.skipIf(!folder)('corpus: class files', () => {
  const archives = folder ? archivesIn(folder) : []

  test.each(archives.map((item) => [item.truth.file, item] as const))(
    'all class files of %s are read',
    { timeout: 120_000 },
    (_, { truth, path }) => {
      const jar = jarOf(truth, path)
      const { classes, unreadable } = jar ? jarClasses(jar) : { classes: [], unreadable: [] }
      expect(unreadable).toEqual([])
      if (truth.type === 'jar' && truth.classFiles !== undefined) expect(classes.length).toBe(truth.classFiles)
      const program = readJvmProgram(classes)
      expect(program.dexes[0]!.notes).toEqual([])
      expect(program.classCount).toBe(classes.length)
      for (const one of program.classes()) {
        void [one.annotations, one.fields, one.sourceFile]
        for (const method of one.methods) {
          void [method.annotations, program.returns(method)]
          for (const call of program.callsFrom(method)) void [call.line, call.kind, program.argument(call, 1)]
        }
      }
    },
  )

  test.skipIf(!hasJavap).each(archives.map((item) => [item.truth.file, item] as const))(
    '%s: calls and texts as javap counts them',
    { timeout: 300_000 },
    (_, { truth, path }) => {
      const jar = jarOf(truth, path)
      const classes = jar ? jarClasses(jar).classes : []
      const step = Math.max(1, Math.floor(classes.length / COMPARED))
      const compared = classes.filter((_, i) => i % step === 0).slice(0, COMPARED)
      if (compared.length === 0) return
      const program = readJvmProgram(compared)
      const methods = [...program.classes()].flatMap((one) => one.methods)
      const calls = methods.reduce((sum, method) => sum + program.callsFrom(method).length, 0)
      const texts = [...program.stringConstants()].reduce((sum, { locations }) => sum + locations.length, 0)
      expect({ calls, texts }).toEqual(javapCounts(compared))
    },
  )

  afterAll(() => rmSync(scratch, { recursive: true }))
})

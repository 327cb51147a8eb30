import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { FormatError } from '#engines/bytes/format-error.ts'
import { elfTexts } from '#engines/elf/elf-texts.ts'
import { readElf } from '#engines/elf/read-elf.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { readelfSays } from '#tests/support/readelf.ts'

interface Truth {
  file: string
  type: string
  elf?: { class: number; machine: string }
}

const folder = process.env['CORPUS_DIR']
const hasReadelf = existsSync('/usr/bin/readelf')
const scratch = mkdtempSync(join(tmpdir(), 'aw-elf-'))
let libraries = 0

function packagesIn(root: string): { truth: Truth; path: string }[] {
  return readFileSync(join(root, 'ground-truth.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Truth)
    .filter(({ type }) => ['apk', 'aab', 'aar', 'so'].includes(type))
    .flatMap((truth) => {
      const path = ['committed', 'packages']
        .map((part) => join(root, part, truth.file))
        .find((name) => existsSync(name))
      return path ? [{ truth, path }] : []
    })
}

/** The library itself, or those of a package; entries that cannot be unpacked are the archive reader's business. */
function librariesOf({ type }: Truth, path: string): Uint8Array[] {
  const bytes = new Uint8Array(readFileSync(path))
  if (type === 'so') return [bytes]
  try {
    const zip = readZip(bytes)
    return zip.entries.filter(({ name }) => name.endsWith('.so')).map((entry) => entryBytes(zip, entry))
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return []
  }
}

describe.skipIf(!folder)('corpus: native libraries', () => {
  test.each((folder ? packagesIn(folder) : []).map((item) => [item.truth.file, item] as const))(
    'native libraries of %s equal the expected ones',
    { timeout: 60_000 },
    (_, { truth, path }) => {
      for (const bytes of librariesOf(truth, path)) {
        let elf: ReturnType<typeof readElf>
        try {
          elf = readElf(bytes)
        } catch (error) {
          if (!(error instanceof FormatError)) throw error
          // The packages of the signature vectors carry a text under the name of a library.
          expect(error.key).toBe('magic')
          continue
        }
        libraries++
        if (truth.elf) expect([elf.bits, elf.machine]).toEqual([truth.elf.class, truth.elf.machine])
        for (const text of elfTexts(bytes, elf)) void text
        if (!hasReadelf) continue
        const copy = join(scratch, 'library.so')
        writeFileSync(copy, bytes)
        const says = readelfSays(copy)
        const names = (symbols: readonly { name: string }[]) => symbols.map(({ name }) => name).toSorted()
        expect({
          bits: elf.bits,
          needed: elf.needed.map(({ value }) => value),
          soname: elf.soname?.value ?? null,
          bindNow: elf.bindNow.value,
          relro: elf.relro.value !== 'none',
          noExecutableStack: elf.noExecutableStack.value,
          buildId: elf.buildId?.value ?? null,
          imports: names(elf.imports),
          exports: names(elf.exports),
        }).toEqual(says)
      }
    },
  )

  afterAll(() => {
    rmSync(scratch, { recursive: true })
    console.info(`${libraries} libraries${hasReadelf ? ', each equal to readelf' : '; readelf is not installed'}`)
  })
})

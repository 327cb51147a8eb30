import type { Random } from '#tests/fuzz/mutate-input.ts'
import { writeDex } from '#tests/support/dex-writer.ts'
import { type WrittenEntry, writeZip } from '#tests/support/zip-writer.ts'
import {
  FILLERS,
  type Files,
  filesOf,
  hiddenDex,
  ID,
  loaderApp,
  manifestOf,
  noise,
  plain,
  zipOf,
} from './mutant-parts.ts'

type Trick = (files: Files, random: Random) => Uint8Array

const entriesOf = (files: Files, change: (entry: WrittenEntry) => WrittenEntry): WrittenEntry[] =>
  [...files].map(([name, data]) => change({ name, data }))

const onDex = (more: (entry: WrittenEntry) => Partial<WrittenEntry>) => (files: Files) =>
  writeZip(entriesOf(files, (entry) => (entry.name === 'classes.dex' ? { ...entry, ...more(entry) } : entry)))

const cleanDex = () => writeDex([plain(`${ID}.Main`), plain(`${ID}.Vault`), ...FILLERS])

export const ZIP_TRICKS: readonly (readonly [name: string, trick: Trick])[] = [
  [
    'two entries of one name, the planted one last',
    (files) => writeZip([{ name: 'classes.dex', data: cleanDex() }, ...entriesOf(files, (one) => one)]),
  ],
  [
    'two entries of one name, the planted one first',
    (files) => writeZip([...entriesOf(files, (one) => one), { name: 'classes.dex', data: cleanDex() }]),
  ],
  [
    'two manifests',
    (files) => writeZip([...entriesOf(files, (one) => one), { name: 'AndroidManifest.xml', data: manifestOf({}) }]),
  ],
  [
    'marked as encrypted',
    (files) => writeZip(entriesOf(files, (one) => ({ ...one, central: { flags: 1 }, local: { flags: 1 } }))),
  ],
  [
    'marked as encrypted in the directory alone',
    (files) => writeZip(entriesOf(files, (one) => ({ ...one, central: { flags: 1 } }))),
  ],
  [
    'sizes behind the data',
    (files) =>
      writeZip(
        entriesOf(files, (one) => ({
          ...one,
          central: { flags: 8 },
          local: { flags: 8, crc32: 0, compressedSize: 0, size: 0 },
        })),
      ),
  ],
  ['a wrong checksum', onDex(() => ({ central: { crc32: 1 }, local: { crc32: 1 } }))],
  ['a size that is too small', onDex(({ data }) => ({ central: { size: Math.floor(data.length / 3) } }))],
  ['a size that is too large', onDex(({ data }) => ({ central: { size: data.length + 5000 } }))],
  ['a packed size of 0', onDex(() => ({ central: { compressedSize: 0 } }))],
  ['a packed size beyond the end', onDex(() => ({ central: { compressedSize: 0x7ffffff0 } }))],
  [
    'an unknown method over stored data',
    onDex(() => ({ deflate: false, central: { method: 0x4321 }, local: { method: 0x4321 } })),
  ],
  ['an unknown method over packed data', onDex(() => ({ central: { method: 99 } }))],
  ['stored, called packed', onDex(() => ({ deflate: false, central: { method: 8 } }))],
  ['packed, called stored', onDex(() => ({ central: { method: 0 } }))],
  ['a different name in the local header', onDex(() => ({ local: { name: 'classes.xxx' } }))],
  ['no local header', onDex(() => ({ central: { localOffset: 0x7ffffff0 } }))],
  ['a name with a slash before it', onDex(() => ({ name: '/classes.dex' }))],
  ['a name with a dot before it', onDex(() => ({ name: './classes.dex' }))],
  ['a name with a NUL', onDex(() => ({ name: Buffer.from('classes.dex\0.png') }))],
  ['a name in capitals', onDex(() => ({ name: 'CLASSES.DEX' }))],
  ['a name with a Cyrillic letter', onDex(() => ({ name: 'сlasses.dex' }))],
  ['a name with a trailing slash', onDex(() => ({ name: 'classes.dex/' }))],
  ['more entries counted than there are', (files) => zipOf(files, { entryCount: 60_000 })],
  ['fewer entries counted than there are', (files) => zipOf(files, { entryCount: 1 })],
  ['a directory size of 0', (files) => zipOf(files, { directorySize: 0 })],
  ['a directory at another offset', (files) => zipOf(files, { directoryOffset: 10 })],
  ['bytes before the archive', (files, random) => zipOf(files, { prefix: noise(random, 5000) })],
  ['bytes after the archive', (files, random) => zipOf(files, { suffix: noise(random, 5000) })],
  [
    'a comment that holds an end record',
    (files) => zipOf(files, { comment: Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]) }),
  ],
  [
    'a clean archive inside of the comment',
    (files) => zipOf(files, { comment: Buffer.from(zipOf(filesOf())).subarray(0, 60_000) }),
  ],
  [
    'a dex file inside of the comment',
    (_, random) => zipOf(loaderApp(random.below(4)), { comment: Buffer.from(hiddenDex()) }),
  ],
  [
    'a dex file between entries and directory',
    (_, random) => zipOf(loaderApp(random.below(4)), { beforeDirectory: hiddenDex() }),
  ],
  ['a dex file before the archive', (_, random) => zipOf(loaderApp(random.below(4)), { prefix: hiddenDex() })],
  ['a dex file after the archive', (_, random) => zipOf(loaderApp(random.below(4)), { suffix: hiddenDex() })],
]

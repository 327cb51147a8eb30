import { gzipSync } from 'node:zlib'
import type { Random } from '#tests/fuzz/mutate-input.ts'
import { writeElf } from '#tests/support/elf-writer.ts'
import { writeZip } from '#tests/support/zip-writer.ts'
import { manifestOf, noise } from './mutant-parts.ts'

const xored = (bytes: Uint8Array, key: readonly number[]) => bytes.map((byte, at) => byte ^ key[at % key.length]!)

const keyOf = (random: Random, length: number) => Array.from({ length }, () => 1 + random.below(255))

/** How a payload is put into a file: `hide` gives name and bytes. */
export const HIDINGS: readonly (readonly [
  how: string,
  hide: (random: Random, dex: Uint8Array) => readonly [string, Uint8Array],
])[] = [
  ['plain, named .dat', (_, dex) => ['assets/a.dat', dex]],
  ['plain, named .png', (_, dex) => ['assets/logo.png', dex]],
  ['plain, without a name', (_, dex) => ['assets/x', dex]],
  ['plain, in res/raw', (_, dex) => ['res/raw/song.mp3', dex]],
  ['plain, in res/drawable', (_, dex) => ['res/drawable/icon.png', dex]],
  ['plain, as a library', (_, dex) => ['lib/arm64-v8a/libcore.so', dex]],
  ['plain, in META-INF', (_, dex) => ['META-INF/services.bin', dex]],
  ['plain, behind a number', (_, dex) => ['classes9.dex', dex]],
  ['plain, with other letters', (_, dex) => ['Classes2.DEX', dex]],
  ['plain, in a folder', (_, dex) => ['assets/dex/classes.dex', dex]],
  ['a package, in assets', (_, dex) => ['assets/p.bin', writeZip([{ name: 'classes.dex', data: dex }])]],
  [
    'a package with a manifest',
    (_, dex) => [
      'assets/child.apk',
      writeZip([
        { name: 'AndroidManifest.xml', data: manifestOf({}) },
        { name: 'classes.dex', data: dex },
      ]),
    ],
  ],
  ['a package, at the top', (_, dex) => ['plugin.apk', writeZip([{ name: 'classes.dex', data: dex }])]],
  [
    'a package in a package',
    (_, dex) => ['assets/p.jar', writeZip([{ name: 'i.zip', data: writeZip([{ name: 'classes.dex', data: dex }]) }])],
  ],
  ['a package, stored', (_, dex) => ['assets/s.bin', writeZip([{ name: 'classes.dex', data: dex, deflate: false }])]],
  ['base64', (_, dex) => ['assets/t.txt', Buffer.from(Buffer.from(dex).toString('base64'))]],
  [
    'base64 in lines',
    (_, dex) => ['assets/l.txt', Buffer.from(Buffer.from(dex).toString('base64').replace(/.{76}/g, '$&\n'))],
  ],
  ['hexadecimal', (_, dex) => ['assets/h.txt', Buffer.from(Buffer.from(dex).toString('hex'))]],
  ['gzip', (_, dex) => ['assets/g.gz', gzipSync(dex)]],
  ['gzip under another name', (_, dex) => ['assets/g.dat', gzipSync(dex)]],
  ['behind 16 bytes', (random, dex) => ['assets/o.bin', Buffer.concat([noise(random, 16), dex])]],
  [
    'behind a picture',
    (random, dex) => [
      'assets/photo.png',
      Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), noise(random, 400), dex]),
    ],
  ],
  ['backwards', (_, dex) => ['assets/r.bin', Buffer.from(dex).reverse()]],
  ...[1, 2, 4, 7, 8, 16, 32].map(
    (length) =>
      [
        `XOR with ${length} bytes`,
        (random: Random, dex: Uint8Array) => ['assets/k.bin', xored(dex, keyOf(random, length))] as const,
      ] as const,
  ),
  [
    'XOR of a package',
    (random, dex) => ['assets/kp.bin', xored(writeZip([{ name: 'classes.dex', data: dex }]), keyOf(random, 1))],
  ],
  [
    'XOR of a package, 5 bytes',
    (random, dex) => ['assets/k5.bin', xored(writeZip([{ name: 'classes.dex', data: dex }]), keyOf(random, 5))],
  ],
  [
    'each byte plus a number',
    (random, dex) => {
      const step = 1 + random.below(254)
      return ['assets/add.bin', dex.map((byte) => (byte + step) & 255)]
    },
  ],
  ['XOR with a growing number', (_, dex) => ['assets/grow.bin', dex.map((byte, at) => byte ^ (at & 255))]],
]

/** How a packer's payload of that size lies in a package. */
export const PAYLOADS: readonly (readonly [
  how: string,
  put: (random: Random, size: number) => Record<string, Uint8Array>,
])[] = [
  ['one file', (random, size) => ({ 'assets/data.bin': noise(random, size) })],
  ['a file named .png', (random, size) => ({ 'assets/a.png': noise(random, size) })],
  [
    'a file named .mp3 that begins as one',
    (random, size) => ({ 'assets/a.mp3': Buffer.concat([Buffer.from('ID3'), noise(random, size)]) }),
  ],
  [
    'a file that begins as a picture',
    (random, size) => ({
      'assets/a.jpg': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), noise(random, size)]),
    }),
  ],
  [
    'many small files',
    (random, size) =>
      Object.fromEntries(
        Array.from({ length: Math.ceil(size / 40_000) }, (_, at) => [`assets/p/${at}`, noise(random, 40_000)]),
      ),
  ],
  [
    'base64 text',
    (random, size) => ({ 'assets/b.txt': Buffer.from(Buffer.from(noise(random, size)).toString('base64')) }),
  ],
  [
    'hexadecimal text',
    (random, size) => ({ 'assets/h.txt': Buffer.from(Buffer.from(noise(random, size)).toString('hex')) }),
  ],
  ['res/raw', (random, size) => ({ 'res/raw/a': noise(random, size) })],
  ['a file that is named like a library', (random, size) => ({ 'lib/arm64-v8a/libz1.so': noise(random, size) })],
  [
    'behind a library',
    (random, size) => ({ 'lib/arm64-v8a/libz2.so': Buffer.concat([writeElf(), noise(random, size)]) }),
  ],
  ['META-INF', (random, size) => ({ 'META-INF/a.bin': noise(random, size) })],
  ['gzip of a file', (random, size) => ({ 'assets/c.gz': gzipSync(noise(random, size)) })],
]

export const PAYLOAD_SIZES = [60_000, 400_000, 1_500_000]

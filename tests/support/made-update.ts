import { createHash, randomBytes } from 'node:crypto'
import { toHex, utf8 } from '#engines/gm/bytes.ts'
import { publicKeyOf, sm2PrivateKey, sm2Sign } from '#engines/gm/sm2-signature.ts'
import type { DataFormats, ManifestFile } from '#engines/update/update-manifest.ts'
import { gm } from './made-licence.ts'
import { type WrittenEntry, writeZip } from './zip-writer.ts'

/** A vendor of tests: its key is no product's. */
const privateKey = sm2PrivateKey(createHash('sm3').update('AppWarden test update vendor').digest())
export const UPDATE_KEY = publicKeyOf(privateKey)
export const updateHashes = {
  ...gm,
  sha256: (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex'),
}
export const FORMATS: DataFormats = {
  postgres: 18,
  events: 2,
  journal: 1,
  migrations: [{ name: '0001-foundation', down: false }],
}

export type MadeFile = { path: string; text: string; mode?: '644' | '755' } | { path: string; link: string }
export const MADE_FILES: MadeFile[] = [
  { path: 'bin/node', text: 'node', mode: '755' },
  { path: 'dist/node/main.js', text: 'start()' },
  { path: 'lib/libx.so.1.2', text: 'library' },
  { path: 'lib/libx.so.1', link: 'libx.so.1.2' },
]

export type MadeUpdate = {
  version?: string
  files?: MadeFile[]
  formats?: unknown
  /** What the manifest says instead. */
  manifest?: (made: Record<string, unknown>) => unknown
  /** Its bytes after it was signed. */
  manifestText?: (text: string) => string
  signature?: string | null
  entries?: (made: WrittenEntry[]) => WrittenEntry[]
  key?: bigint
}

/** An update as `npm run package` writes it, with anything wrong that a test wants. */
export function madeUpdate(made: MadeUpdate = {}): Uint8Array<ArrayBuffer> {
  const files = made.files ?? MADE_FILES
  const listed: ManifestFile[] = files.map((file) =>
    'link' in file
      ? { path: file.path, link: file.link }
      : {
          path: file.path,
          mode: file.mode ?? '644',
          size: utf8(file.text).length,
          sha256: updateHashes.sha256(utf8(file.text)),
        },
  )
  const manifest = {
    product: 'appwarden',
    version: made.version ?? '1.6.0',
    platform: 'linux-x64',
    formats: made.formats ?? FORMATS,
    files: listed,
  }
  const text = JSON.stringify(made.manifest?.(manifest) ?? manifest)
  const signature = made.signature ?? toHex(sm2Sign(gm, made.key ?? privateKey, utf8(text), randomBytes))
  const entries: WrittenEntry[] = [
    { name: 'manifest.json', data: made.manifestText?.(text) ?? text },
    ...(made.signature === null ? [] : [{ name: 'manifest.json.sm2', data: `${signature}\n` }]),
    ...files.map((file) => ({ name: `files/${file.path}`, data: 'link' in file ? file.link : file.text })),
  ]
  return writeZip(made.entries?.(entries) ?? entries)
}

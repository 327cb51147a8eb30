import { Readable } from 'node:stream'
import { ZipWriter } from '#engines/zip/zip-writer.ts'
import type { WrittenTails } from './ask-channel-worker.ts'

/** The package that all of them are made of. */
type Base = { stream(range?: { start: number; end: number }): Readable }

/** The package of one channel: the body as it is in the file store, behind it the tail. Read as fast as it is taken. */
export function packageStream(base: Base, written: WrittenTails, index: number): Readable {
  return Readable.from(packageBytes(base, written, index), { objectMode: false })
}

/**
 * A ZIP of all packages, each stored under its name; ZIP64 where it grows beyond 4 GiB. `size` is known before the first byte, since
 * sizes and checksums of the packages are.
 */
export function zipStream(
  base: Base,
  written: WrittenTails,
  names: readonly string[],
): { size: number; stream: Readable } {
  const empty = new ZipWriter(() => {})
  for (const [i, tail] of written.tails.entries()) empty.announce(names[i]!, tail)
  empty.finish()
  return {
    size: empty.position,
    stream: Readable.from(zipBytes(base, written, names), { objectMode: false }),
  }
}

async function* zipBytes(base: Base, written: WrittenTails, names: readonly string[]): AsyncGenerator<Uint8Array> {
  const headers: Uint8Array[] = []
  const archive = new ZipWriter((bytes) => headers.push(bytes))
  for (const [i, tail] of written.tails.entries()) {
    archive.announce(names[i]!, tail)
    yield* headers.splice(0)
    yield* packageBytes(base, written, i)
  }
  archive.finish()
  yield* headers
}

async function* packageBytes(base: Base, written: WrittenTails, index: number): AsyncGenerator<Uint8Array> {
  const { bodySize, directory, tails } = written
  const { before, after } = tails[index]!
  yield* base.stream({ start: 0, end: bodySize }) as AsyncIterable<Uint8Array>
  yield before
  yield directory
  yield after
}

/** File names of the packages of one base, one per channel key. Keys that differ only in case get different names: some disks ignore case. */
export function packageNames(fileName: string, keys: readonly string[]): string[] {
  const stem = fileName.replace(/\.apk$/i, '')
  const taken = new Set<string>()
  return keys.map((key) => {
    let name = `${stem}-${key}.apk`
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${stem}-${key}~${n}.apk`
    taken.add(name.toLowerCase())
    return name
  })
}

import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { ProductError } from '#contracts/errors.ts'
import { SYMBOL_LIMITS, type SymbolKind } from '#domain/exceptions.ts'
import { mappingIndexer } from '#engines/stack/mapping.ts'
import { readSourceMap } from '#engines/stack/source-map.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { dropUnnamed } from '../../platform/file-references.ts'
import { indexText } from './symbols.ts'

type KeptSymbols = { file: string; index_file: string | null; size: number; entries: number }

/** Source maps are read as a whole whenever a stack needs one. */
const MAP_BYTES = 48 * 1024 * 1024

/** Unpacks a gzipped mapping or source map into the file store and checks that it is one. Throws input.invalid or quota.reached. */
export async function keepSymbols(
  deps: { readonly meta: MetaStore; readonly files: FileStore },
  kind: SymbolKind,
  packed: Buffer,
): Promise<KeptSymbols> {
  const { files } = deps
  const indexer = mappingIndexer()
  const most = kind === 'r8' ? SYMBOL_LIMITS.inflatedBytes : MAP_BYTES
  const text: Buffer[] = []
  let size = 0
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > most) return done(new ProductError('quota.reached', { detail: `${most / 1024 / 1024} MB` }))
      if (kind === 'r8') indexer.push(chunk)
      else text.push(chunk)
      done(null, chunk)
    },
  })
  const flow = pipeline(Readable.from([packed]), createGunzip(), watch)
  const [kept] = await Promise.all([files.put(watch), flow]).catch((error: unknown) => {
    throw error instanceof ProductError ? error : new ProductError('input.invalid', { detail: 'gzip' })
  })
  try {
    if (kind === 'sourcemap') {
      const { sources } = readSourceMap(Buffer.concat(text).toString('utf8'))
      return { file: kept.sha256, index_file: null, size, entries: sources }
    }
    const spans = indexer.end()
    if (spans.length === 0) throw new Error('no class')
    const index = await files.put(Readable.from([Buffer.from(indexText(spans))]))
    return { file: kept.sha256, index_file: index.sha256, size, entries: spans.length }
  } catch (error) {
    await dropUnnamed(deps, [kept.sha256])
    // A disk that refuses is no fault of the file.
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
    throw new ProductError('input.invalid', { detail: kind === 'r8' ? 'mapping.txt' : 'source map' })
  }
}

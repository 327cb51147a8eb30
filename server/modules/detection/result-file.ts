import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { ScanResultSchema } from '#contracts/detection/scan-result.ts'
import { ProductError } from '#contracts/errors.ts'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'
import { log } from '#runtime/log.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { TaskRow } from './task-rows.ts'

/** Unpacked JSON of one result; what is beyond was refused when it was made. */
export const MAX_RESULT_BYTES = 96 * 1024 * 1024
const REMEMBERED = 4

/** Results that were read last: a report asks for ten parts of one. Files never change under their name. */
const remembered = new Map<string, Promise<ScanResult>>()

/** Writes a result; equal results are one file. */
export async function writeResult(files: FileStore, result: ScanResult): Promise<string> {
  const { sha256 } = await files.put(Readable.from([gzipSync(JSON.stringify(result))]))
  return sha256
}

/** The result of a detected task. Throws detection.no_result where it has none. */
export function readResult(
  { files }: { files: FileStore },
  { state, result_file }: Pick<TaskRow, 'state' | 'result_file'>,
): Promise<ScanResult> {
  if (state !== 'detected' || result_file === null) return Promise.reject(new ProductError('detection.no_result'))
  const known = remembered.get(result_file)
  const reading = known ?? load(files, result_file)
  remembered.delete(result_file)
  remembered.set(result_file, reading)
  if (!known) reading.catch(() => remembered.delete(result_file)) // read again next time
  for (const oldest of remembered.keys()) {
    if (remembered.size <= REMEMBERED) break
    remembered.delete(oldest)
  }
  return reading
}

async function load(files: FileStore, name: string): Promise<ScanResult> {
  const file = await files.open(name).catch((err: unknown) => {
    log.warn({ err, name }, 'detection: the file of a result cannot be opened')
    throw new ProductError('detection.no_result')
  })
  const text = gunzipSync(await buffer(file.stream()), { maxOutputLength: MAX_RESULT_BYTES })
  return ScanResultSchema.parse(JSON.parse(text.toString('utf8')))
}

import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type SdkFile, type SdkManifest, SdkManifestSchema } from '#contracts/http/sdk.ts'

/** What was built with this server; undefined where nothing was, or another version's build lies there. */
export function readManifest(folder: string): SdkManifest | undefined {
  try {
    return SdkManifestSchema.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')))
  } catch {
    return undefined // the page says that none is there
  }
}

/** The bytes of a file that the manifest names; undefined where it is gone. */
export function openFile(folder: string, file: SdkFile): Readable | undefined {
  const path = join(folder, file.name)
  return /^[\w.-]+$/.test(file.name) && existsSync(path) ? createReadStream(path) : undefined
}

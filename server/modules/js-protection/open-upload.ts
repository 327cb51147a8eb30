import { MAX_SCRIPT_BYTES, scriptFormat } from '#engines/jsguard/read-script.ts'
import { isScriptName, openScriptArchive, type ScriptArchive, scriptBytes } from '#engines/jsguard/script-archive.ts'
import { ScriptRefused } from '#engines/jsguard/script-refused.ts'

/** A script of an upload: one of an archive, or the upload itself. */
export type UploadedScript = { name: string; size: number; read(): Uint8Array }
export type OpenedUpload = { archive: ScriptArchive | undefined; scripts: readonly UploadedScript[] }

/** Opens an upload by its name: an archive, or one script. Throws FormatError, and ScriptRefused `format` is said by the caller. */
export function openUpload(bytes: Uint8Array, name: string): OpenedUpload {
  if (isScriptName(name)) return { archive: undefined, scripts: [{ name, size: bytes.length, read: () => bytes }] }
  const archive = openScriptArchive(bytes)
  const scripts = archive.scripts.map((entry) => ({
    name: entry.name,
    size: entry.size,
    read: () => scriptBytes(archive, entry),
  }))
  return { archive, scripts }
}

/** What an upload is, without reading its code. Throws what makes it useless as a whole. */
export function lookAt(bytes: Uint8Array, name: string): { kind: 'js' | 'zip'; files: number; scripts: number } {
  const { archive, scripts } = openUpload(bytes, name)
  if (archive)
    return { kind: 'zip', files: archive.zip.entries.filter((one) => !one.isDirectory).length, scripts: scripts.length }
  if (bytes.length > MAX_SCRIPT_BYTES)
    throw new ScriptRefused('too-large', `${bytes.length} bytes, the limit is ${MAX_SCRIPT_BYTES}`)
  if (scriptFormat(bytes) === 'binary') throw new ScriptRefused('not-text', 'not UTF-8 text')
  return { kind: 'js', files: 1, scripts: 1 }
}

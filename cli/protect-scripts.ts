import { SCRIPT_REASONS } from '#contracts/http/js-protection.ts'
import { findPackageScripts } from '#engines/jsguard/package-scripts.ts'
import type { ProtectedScript } from '#engines/jsguard/protect-script.ts'
import { MAX_SCRIPT_BYTES, scriptFormat } from '#engines/jsguard/read-script.ts'
import { isScriptName } from '#engines/jsguard/script-archive.ts'
import { type Preset, SCRIPT_OPTIONS } from '#engines/jsguard/script-options.ts'
import { ScriptRefused } from '#engines/jsguard/script-refused.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { ZipWriter } from '#engines/zip/zip-writer.ts'
import { ProtectionFailed, protectInWorkers } from '#server/modules/js-protection/protect-in-workers.ts'
import { UsageError } from './usage-error.ts'

/** Name under which a script is protected: a React Native bundle is a script, whatever its name ends with. */
const nameOf = (path: string): string => (isScriptName(path) ? path : `${path}.js`)

/**
 * Protects the scripts of a package in the script worker, with the server's limits of time and memory, and answers a function that gives each.
 * It throws ScriptRefused for one that keeps its original.
 */
export async function protectScriptsOf(
  bytes: Uint8Array,
  preset: Preset,
  seed: Uint8Array,
): Promise<(content: Uint8Array, path: string) => Promise<ProtectedScript>> {
  const zip = readZip(bytes)
  const parts: Uint8Array[] = []
  const archive = new ZipWriter((part) => parts.push(part))
  const names: string[] = []
  for (const { path } of findPackageScripts(zip.entries.filter((one) => !one.isDirectory).map(({ name }) => name))) {
    const entry = zip.byName.get(path)
    if (!entry || entry.size === 0 || entry.size > MAX_SCRIPT_BYTES) continue
    const content = entryBytes(zip, entry)
    if (scriptFormat(content) !== 'script') continue
    names.push(nameOf(path))
    archive.add(nameOf(path), content, { deflate: false })
  }
  archive.finish()
  const done = names.length ? await protectAll(Buffer.concat(parts), preset, seed) : undefined
  return async (_content, path) => {
    const number = names.indexOf(path)
    const outcome = done?.outcomes.find(({ name }) => name === path)
    const code = done?.codes.get(number)
    if (!outcome || outcome.strength === null || !code) {
      const reason = outcome?.reason ? SCRIPT_REASONS[outcome.reason].en : 'empty, or larger than a script may be'
      throw new ScriptRefused('engine', [reason, outcome?.detail].filter(Boolean).join('; '))
    }
    return {
      ...{ code: code.toString(), map: null, strength: outcome.strength, tokens: 0, warnings: [], leftOut: [] },
    }
  }
}

async function protectAll(bytes: Buffer, preset: Preset, seed: Uint8Array) {
  try {
    const result = await protectInWorkers({
      ...{ name: 'scripts.zip', size: bytes.length, input: () => [bytes] },
      options: { ...SCRIPT_OPTIONS, preset },
      seed: Buffer.from(seed).readUInt32LE(0) >>> 1,
      isolation: { prefix: [], kept: [], missing: [] },
      signal: new AbortController().signal,
    })
    return result
  } catch (error) {
    if (error instanceof ProtectionFailed) throw new UsageError(`${error.key}: ${error.message}`)
    throw error
  }
}

import { packageScriptArchive } from '#engines/jsguard/package-script-archive.ts'
import type { ProtectedScript } from '#engines/jsguard/protect-script.ts'
import type { Preset } from '#engines/jsguard/script-options.ts'
import { ProtectionFailed } from '#server/modules/js-protection/protect-in-workers.ts'
import { answeredScript, protectPackageScripts } from '#server/modules/js-protection/protect-package-scripts.ts'
import { UsageError } from './usage-error.ts'

/**
 * Protects the scripts of a package in the script worker, with the server's limits of time and memory, and answers a function that gives each.
 * It throws ScriptRefused for one that keeps its original.
 */
export async function protectScriptsOf(
  bytes: Uint8Array,
  preset: Preset,
  seed: Uint8Array,
): Promise<(content: Uint8Array, name: string) => ProtectedScript> {
  const archive = packageScriptArchive(bytes)
  if (!archive) return answeredScript({})
  try {
    const signal = new AbortController().signal
    const isolation = { prefix: [], kept: [], missing: [] }
    return answeredScript((await protectPackageScripts(archive, preset, seed, isolation, signal)) ?? {})
  } catch (error) {
    if (error instanceof ProtectionFailed) throw new UsageError(`${error.key}: ${error.message}`)
    throw error
  }
}

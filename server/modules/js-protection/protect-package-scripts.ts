import { SCRIPT_REASONS } from '#contracts/http/js-protection.ts'
import type { ProtectedScript } from '#engines/jsguard/protect-script.ts'
import { type Preset, SCRIPT_OPTIONS, type Strength } from '#engines/jsguard/script-options.ts'
import { ScriptRefused } from '#engines/jsguard/script-refused.ts'
import type { Isolation } from '../../platform/sandbox/isolation.ts'
import { protectInWorkers } from './protect-in-workers.ts'

/** By name in the archive: the protected script, or why it keeps its original. */
export type ScriptAnswers = Readonly<Record<string, { code: string; strength: Strength } | { refused: string }>>

/**
 * Protects an archive of packageScriptArchive in script workers, with their limits of time and memory. Undefined where `signal` was aborted;
 * throws ProtectionFailed where there is no result.
 * @param seed equal seeds give equal scripts
 */
export async function protectPackageScripts(
  archive: Uint8Array,
  preset: Preset,
  seed: Uint8Array,
  isolation: Isolation,
  signal: AbortSignal,
  onProgress?: (done: number, current: string) => void,
): Promise<ScriptAnswers | undefined> {
  const result = await protectInWorkers({
    ...{ name: 'scripts.zip', size: archive.length, input: () => [archive] },
    options: { ...SCRIPT_OPTIONS, preset },
    seed: Buffer.from(seed).readUInt32LE(0) >>> 1,
    ...{ isolation, signal },
    ...(onProgress && { onProgress }),
  })
  if (!result) return undefined
  const answers: Record<string, ScriptAnswers[string]> = {}
  for (const [number, { name, strength, reason, detail }] of result.outcomes.entries()) {
    const code = result.codes.get(number)?.toString()
    const why = [reason ? SCRIPT_REASONS[reason].en : '', detail].filter(Boolean).join('; ')
    answers[name] = code !== undefined && strength !== null ? { code, strength } : { refused: why }
  }
  return answers
}

/** Gives the engine the answer for each script; throws ScriptRefused for one that keeps its original. */
export function answeredScript(answers: ScriptAnswers): (content: Uint8Array, name: string) => ProtectedScript {
  return (_content, name) => {
    const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
    if (!answer || 'refused' in answer)
      throw new ScriptRefused('engine', answer?.refused || 'empty, or larger than a script may be')
    return { ...answer, map: null, tokens: 0, warnings: [], leftOut: [] }
  }
}

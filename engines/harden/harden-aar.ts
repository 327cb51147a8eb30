import { readPackage } from '../package/read-package.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { HardenedPackage, HardenRequest, HardenStage } from './harden-apk.ts'
import { HardenLog, type HardenOption, refusal } from './hardening.ts'
import { protectScripts } from './protect-scripts.ts'
import { skipOthers } from './skip-others.ts'
import { trimLibraries } from './trim-libraries.ts'
import { writeArchive } from './write-archive.ts'

/** Options that act on what an AAR has. */
const OF_AARS = ['so_protection', 'third_party_so_ban', 'js_protection'] as const satisfies readonly HardenOption[]
/** Options that change code, which an AAR has as class files. */
const OF_CODE: ReadonlySet<HardenOption> = new Set(['log_removal', 'anti_decompile', 'screenshot_prevention'])

/**
 * Performs the options on an Android library: native libraries below `jni` are trimmed, scripts below `assets` protected. All other entries
 * keep their bytes. The result has no signature. Throws FormatError `kind` and `time` of format `harden`, and what `readPackage` throws.
 */
export async function hardenAar(bytes: Uint8Array, name: string, request: HardenRequest): Promise<HardenedPackage> {
  request.onStep?.('read', 0, 1, '')
  const source = readPackage(bytes, name)
  if (source.kind !== 'aar') throw refusal('kind', `an AAR is wanted; this is ${source.kind}`)
  const { zip } = source.archives[0]!
  const log = new HardenLog()
  const step = (stage: HardenStage, done: number, total: number, current: string) => {
    if (request.isLate?.()) throw refusal('time', 'the package takes longer than the limit')
    request.onStep?.(stage, done, total, current)
  }
  const contents = new Map<string, Uint8Array>()
  const { protectScript, thirdPartySoBan: ban, soProtection: trim = false } = request
  if (protectScript) {
    const protect = (script: Uint8Array, path: string) => {
      step('resources', 0, 1, path)
      return protectScript(script, path)
    }
    for (const [path, content] of await protectScripts(zip, protect, log)) contents.set(path, content)
  }
  if (ban || trim) {
    const { nativeLibraries } = source.facts
    let done = 0
    const read = (entry: string) => {
      step('libraries', done++, nativeLibraries.length, entry)
      return entryBytes(zip, zip.byName.get(entry)!)
    }
    const trimmed = trimLibraries(nativeLibraries, read, { ...(ban && { ban }), trim }, log)
    for (const [entry, content] of trimmed) contents.set(entry, content)
  }
  skipOthers(
    request,
    OF_AARS,
    (option) =>
      OF_CODE.has(option)
        ? 'the class files of an AAR are not changed by this version'
        : 'an AAR becomes part of an application: the option is for that application',
    log,
  )
  const pieces = writeArchive(zip, { contents }, (done, total, entry) => step('write', done, total, entry))
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  return { pieces, size, lines: log.lines }
}

import { FormatError } from '../bytes/format-error.ts'
import { inspectAndroid } from '../detect/inspect-android.ts'
import { readCode } from '../detect/read-context.ts'
import { ClassFile } from '../jvm/class-file.ts'
import type { AndroidPackage, JarPackage, Package, PackageArchive } from '../package/package.ts'
import { readPackage } from '../package/read-package.ts'
import { refuseOddArchive } from '../signing/refuse-odd-archive.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { classNameOf } from './edited-dex.ts'
import type { HardenedPackage, HardenRequest, HardenStage } from './harden-request.ts'
import { HardenLog, type HardenOption, refusal } from './hardening.ts'
import { protectScripts } from './protect-scripts.ts'
import { removeClassLogs } from './remove-class-logs.ts'
import { skipOthers } from './skip-others.ts'
import { trimLibraries } from './trim-libraries.ts'
import { writeArchive } from './write-archive.ts'

/** Options that act on what a library has. */
const OF_LIBRARIES = [
  'so_protection',
  'third_party_so_ban',
  'js_protection',
  'log_removal',
] as const satisfies readonly HardenOption[]
/** Other options that change code. */
const OF_CODE: ReadonlySet<HardenOption> = new Set(['anti_decompile', 'screenshot_prevention'])
type Library = AndroidPackage | JarPackage
/** Entries of an archive with their new contents. */
type Contents = Map<string, Uint8Array>

/**
 * Performs the options on an Android library (AAR) or a JAR of class files: native libraries below `jni` are trimmed, scripts below `assets`
 * protected, log calls removed from class files, those of known libraries apart. All other entries keep their bytes. The result has no
 * signature. Throws FormatError `kind`, `packed` and `time` of format `harden`, `archive` of `signing` (what
 * readers understand differently), and what `readPackage` throws.
 */
export async function hardenLibrary(bytes: Uint8Array, name: string, request: HardenRequest): Promise<HardenedPackage> {
  request.onStep?.('read', 0, 1, '')
  const source = readPackage(bytes, name)
  if (!isLibrary(source)) throw refusal('kind', `an AAR or JAR is wanted; this is ${source.kind}`)
  for (const archive of source.archives) refuseOddArchive(archive.zip)
  const { zip } = source.archives[0]!
  const log = new HardenLog()
  const step = (stage: HardenStage, done: number, total: number, current: string) => {
    if (request.isLate?.()) throw refusal('time', 'the package takes longer than the limit')
    request.onStep?.(stage, done, total, current)
  }
  const contents = withoutLogs(source, request, log, step)
  const { protectScript, thirdPartySoBan: ban, soProtection: trim = false } = request
  if (protectScript) {
    const protect = (script: Uint8Array, path: string) => {
      step('resources', 0, 1, path)
      return protectScript(script, path)
    }
    for (const [path, content] of await protectScripts(zip, protect, log)) contents.set(path, content)
  }
  if (ban || trim) {
    const libraries = source.kind === 'aar' ? source.facts.nativeLibraries : []
    let done = 0
    const read = (entry: string) => {
      step('libraries', done++, libraries.length, entry)
      return entryBytes(zip, zip.byName.get(entry)!)
    }
    for (const [entry, content] of trimLibraries(libraries, read, { ...(ban && { ban }), trim }, log))
      contents.set(entry, content)
  }
  skipOthers(
    request,
    OF_LIBRARIES,
    (option) =>
      OF_CODE.has(option)
        ? 'this version does not do it in class files'
        : 'a library becomes part of an application: the option is for that application',
    log,
  )
  const pieces = writeArchive(zip, { contents }, (done, total, entry) => step('write', done, total, entry))
  return { pieces, size: pieces.reduce((sum, { length }) => sum + length, 0), lines: log.lines }
}

const isLibrary = (source: Package): source is Library => source.kind === 'aar' || source.kind === 'jar'

/** New contents of the archive, whose class files, or the jars that hold them, have no log calls of the wanted levels. */
function withoutLogs(
  source: Library,
  { logLevels = [], keep }: HardenRequest,
  log: HardenLog,
  step: (stage: HardenStage, done: number, total: number, current: string) => void,
): Contents {
  const contents: Contents = new Map()
  if (!logLevels.length) return contents
  const { inspected } = inspectAndroid(source, readCode(source))
  if (inspected.packer)
    throw refusal('packed', `already protected by ${inspected.packer.en}: its code is not there to be changed`)
  const mayChange = (descriptor: string) =>
    inspected.ownerOf(descriptor).kind !== 'sdk' && !keep.keeps(classNameOf(descriptor))
  const levels = new Set(logLevels)
  const [outer] = source.archives
  for (const archive of source.archives) {
    const changed: Contents = new Map()
    let left = 0
    const { entries } = archive.zip
    for (const [done, entry] of entries.entries()) {
      if (!entry.name.endsWith('.class')) continue
      const place = archive.prefix + entry.name
      step('code', done, entries.length, place)
      try {
        const bytes = entryBytes(archive.zip, entry)
        const { descriptor } = new ClassFile(bytes)
        if (!mayChange(descriptor)) {
          left++
          continue
        }
        const result = removeClassLogs(bytes, levels)
        if (!result) continue
        changed.set(entry.name, result.bytes)
        log.applied('log_removal', place, classNameOf(descriptor), 'log calls removed', result.removed)
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        log.skipped('log_removal', place, '', 'the class file cannot be read: {detail}', 1, error.message)
      }
    }
    log.skipped(
      'log_removal',
      archive.prefix,
      '',
      'classes of known libraries, or kept by rules, are left as they are',
      left,
    )
    if (archive === outer) for (const [name, content] of changed) contents.set(name, content)
    else if (changed.size) contents.set(archive.prefix.replace(/!\/$/, ''), written(archive, changed))
  }
  if (source.code.some(({ entry }) => entry.endsWith('.dex')))
    log.skipped('log_removal', '', '', 'dex files of a library are left as they are')
  if (levels.has('println')) log.absent('log_removal', 'printing to System.out in class files')
  return contents
}

const written = ({ zip }: PackageArchive, contents: Contents): Uint8Array =>
  Buffer.concat(writeArchive(zip, { contents }, () => {}))

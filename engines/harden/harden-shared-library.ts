import { readElf } from '../elf/read-elf.ts'
import type { HardenedPackage, HardenRequest } from './harden-request.ts'
import { HardenLog, refusal } from './hardening.ts'
import { skipOthers } from './skip-others.ts'
import { trimLibraries } from './trim-libraries.ts'

const PT_LOAD = 1
const PT_DYNAMIC = 2

/**
 * Performs the options on a native library that comes alone. What Android's loader reads of it stays as it is; a library that cannot be
 * trimmed stays byte by byte, with the reason. Throws FormatError `library` and `time` of format `harden`, and those of `elf`.
 * @param name file name, by which known libraries of others are recognised
 */
export function hardenSharedLibrary(bytes: Uint8Array, name: string, request: HardenRequest): HardenedPackage {
  request.onStep?.('read', 0, 1, '')
  const log = new HardenLog()
  const issue = loadIssue(bytes)
  if (issue) throw refusal('library', `no library that Android loads: ${issue}`)
  if (request.isLate?.()) throw refusal('time', 'the package takes longer than the limit')
  const file = name.replace(/^.*[\\/]/, '')
  const { thirdPartySoBan: ban, soProtection: trim = false } = request
  request.onStep?.('libraries', 0, 1, file)
  const trimmed = trimLibraries([{ entry: file, name: file, abi: '' }], () => bytes, { ...(ban && { ban }), trim }, log)
  skipOthers(
    request,
    ['so_protection', 'third_party_so_ban'],
    () => 'the file is a native library alone: it has no code, manifest or resources of an application',
    log,
  )
  const result = trimmed.get(file) ?? bytes
  return { pieces: [result], size: result.length, lines: log.lines }
}

/** Why Android would not load the file as a library, as far as its headers say; '' where they say nothing against it. */
function loadIssue(bytes: Uint8Array): string {
  const { abi, type, segments, interpreter, soname } = readElf(bytes)
  if (type !== 'shared') return `type ${type}`
  if (abi === null) return 'made for a processor that Android does not run on'
  if (interpreter && !soname) return 'a program'
  const loaded = segments.filter((one) => one.type === PT_LOAD)
  if (!loaded.length || !segments.some((one) => one.type === PT_DYNAMIC)) return 'nothing in it is loaded and linked'
  if (loaded.some(({ fileOffset, fileSize }) => fileOffset + fileSize > bytes.length)) return 'its end is missing'
  return ''
}

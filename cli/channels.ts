import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { FormatError } from '#engines/bytes/format-error.ts'
import { type Channel, channelErrorText, readChannelList } from '#engines/channels/channel-list.ts'
import { judgeChannelTail, writeChannelTail } from '#engines/channels/channel-tail.ts'
import { type PackageTail, readPackageTail } from '#engines/channels/package-tail.ts'
import { verifyApk } from '#engines/signing/verify-apk.ts'
import { readWhole } from './open-file.ts'
import { temporaryName, writePieces } from './output-file.ts'
import { printFailure } from './print-failure.ts'
import { printable } from './printable.ts'
import { UsageError } from './usage-error.ts'

export const CHANNELS_USAGE = 'appwarden channels IN --list FILE.txt --out FOLDER [--skip-errors] [--format text|json]'

/** Above it a list is not even read; the list itself says how small it has to be. */
const MOST_LIST = 2 ** 20

/** So many of the written packages are verified as a whole, the first, one in the middle, and the last; of the others the tail. */
const WHOLE = 3

interface Report {
  out: string
  place: 'block' | 'meta'
  packages: { file: string; channel: string; name: string; group: number; whole: boolean }[]
  skipped: string[]
}

/**
 * `appwarden channels`: a package for each channel of a list, from a signed APK. The signature is not made again: only the tail of
 * each file differs. Answers the exit code: 0 done, 1 done without wrong lines of the list or without a v4 signature, 2 refused.
 */
export function channelsCommand(args: readonly string[], print: (text: string) => void): number {
  try {
    const { input, list, out, skipErrors, format } = readArguments(args)
    const { channels, errors } = readChannelList(readWhole(list, MOST_LIST), basename(list))
    const lines = errors.map((error) => printable(channelErrorText(error)))
    if (!channels.length || (errors.length && !skipErrors)) {
      print(`refused: ${printable(basename(list))}\n${lines.join('\n')}`)
      return 2
    }
    const report = writePackages(input, out, channels)
    report.skipped.push(...lines)
    print(format === 'json' ? JSON.stringify(report, null, 2) : textOf(report))
    return report.skipped.length ? 1 : 0
  } catch (error) {
    return printFailure(error, CHANNELS_USAGE, print)
  }
}

function readArguments(args: readonly string[]) {
  const { values, positionals } = parse(args)
  const [input, ...more] = positionals
  if (input === undefined || more.length) throw new UsageError('One package is wanted')
  const { list, out, format, 'skip-errors': skipErrors = false } = values
  if (list === undefined || out === undefined) throw new UsageError('--list and --out are needed')
  if (format !== 'text' && format !== 'json') throw new UsageError(`Unknown format: ${format}`)
  return { input, list, out, skipErrors, format }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        list: { type: 'string' },
        out: { type: 'string' },
        'skip-errors': { type: 'boolean' },
        format: { type: 'string', default: 'text' },
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function writePackages(input: string, out: string, channels: readonly Channel[]): Report {
  const bytes = readWhole(input)
  refuseUnverified(bytes)
  const base = readPackageTail((offset, length) => bytes.subarray(offset, offset + length), bytes.length)
  mkdirSync(out, { recursive: true })
  const stem = basename(input).replace(/\.apk$/i, '')
  const report: Report = { out, place: base.place, packages: [], skipped: [] }
  if (existsSync(`${input}.idsig`))
    report.skipped.push('v4: an .idsig file is for the bytes of one package and is not written')
  channels.forEach((channel, i) => {
    const file = join(out, `${stem}-${channel.key}.apk`)
    const whole = isWhole(i, channels.length)
    writePackage({ input, file, base, channel, whole })
    report.packages.push({ file, channel: channel.key, name: channel.name, group: channel.group, whole })
  })
  return report
}

/** Evenly spread, the first and the last among them. */
function isWhole(index: number, count: number): boolean {
  if (count <= WHOLE) return true
  return Array.from({ length: WHOLE }, (_, i) => Math.round((i * (count - 1)) / (WHOLE - 1))).includes(index)
}

function refuseUnverified(bytes: Uint8Array): void {
  const { verified, errors } = verifyApk(bytes)
  if (!verified)
    throw new FormatError('channel', 'signature', -1, `the package is not signed soundly: ${errors[0]?.key ?? ''}`)
}

interface PackageRequest {
  readonly input: string
  readonly file: string
  readonly base: PackageTail
  readonly channel: Channel
  readonly whole: boolean
}

/** The body is copied by the file system, which shares its blocks where it can; the tail is written over, read back and judged. */
function writePackage({ input, file, base, channel, whole }: PackageRequest): void {
  const temporary = temporaryName(file)
  try {
    copyFileSync(input, temporary, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
    const handle = openSync(temporary, 'r+')
    try {
      const pieces = writeChannelTail(base, channel)
      ftruncateSync(handle, base.bodySize)
      writePieces(handle, pieces, base.bodySize)
      const reason = judgeChannelTail(readPackageTail(readerOf(handle), fstatSync(handle).size), base, channel)
      if (reason !== undefined) throw new FormatError('channel', 'judged', -1, `${channel.key}: ${reason}`)
    } finally {
      closeSync(handle)
    }
    if (whole) refuseUnverified(readWhole(temporary))
    renameSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
}

function readerOf(handle: number) {
  return (offset: number, length: number): Uint8Array => {
    const bytes = Buffer.alloc(length)
    let got = 0
    while (got < length) {
      const count = readSync(handle, bytes, got, length - got, offset + got)
      if (!count) throw new FormatError('zip', 'truncated', offset, 'the file is shorter than it was')
      got += count
    }
    return bytes
  }
}

function textOf({ out, place, packages, skipped }: Report): string {
  const groups = new Set(packages.map(({ group }) => group)).size
  const checked = packages.filter(({ whole }) => whole).length
  const lines: [string, string][] = [
    ['written', `${packages.length} packages of ${groups} groups into ${printable(out)}`],
    ['channel', place === 'block' ? 'in the signing block' : 'in META-INF, since v1 alone protects the package'],
    ['verified', `the tail of each, ${checked} as a whole`],
    ...skipped.map((line): [string, string] => ['skipped', line]),
  ]
  return lines.map(([name, value]) => `${name.padEnd(9)} ${value}`).join('\n')
}

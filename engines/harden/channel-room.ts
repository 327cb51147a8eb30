import { FormatError } from '../bytes/format-error.ts'
import { judgeChannelTail, writeChannelTail } from '../channels/channel-tail.ts'
import { readPackageTail } from '../channels/package-tail.ts'
import { signingEntries } from '../signing/sign-apk.ts'
import { readZip } from '../zip/read-zip.ts'
import { type HardenLine, HardenLog } from './hardening.ts'

/** Written, read back and thrown away. */
const TRIAL = { key: 'trial', name: 'Trial' }

/**
 * Whether packages for channels can be made out of a reinforced APK, tried with one: a channel is written behind the signature as it will be for each
 * channel, and the tail is read back and judged. Answers the line of `multi_channel`.
 */
export function judgeChannelRoom(apk: Uint8Array): HardenLine {
  const log = new HardenLog()
  const reason = whyNoRoom(apk)
  if (reason === undefined)
    log.applied('multi_channel', '', '', 'a package for a channel was made on trial and read back')
  else if (reason === '')
    log.skipped('multi_channel', '', '', 'the package has no signature: channels are written after signing')
  else log.skipped('multi_channel', '', '', 'no channel can be written: {detail}', 1, reason)
  return log.lines[0]!
}

/** '' where it is not signed; undefined where a channel can be written. */
function whyNoRoom(apk: Uint8Array): string | undefined {
  try {
    const base = readPackageTail((offset, length) => apk.subarray(offset, offset + length), apk.length)
    if (base.place === 'meta' && !signingEntries(readZip(apk)).length) return ''
    const written = Buffer.concat(writeChannelTail(base, TRIAL))
    const { bodySize } = base
    const tail = readPackageTail(
      // What is before the tail is read from the package: it does not change.
      (offset, length) =>
        Buffer.concat([
          apk.subarray(Math.min(offset, bodySize), Math.min(offset + length, bodySize)),
          written.subarray(Math.max(offset - bodySize, 0), Math.max(offset + length - bodySize, 0)),
        ]),
      bodySize + written.length,
    )
    return judgeChannelTail(tail, base, TRIAL)
  } catch (error) {
    if (error instanceof FormatError) return error.message
    throw error
  }
}

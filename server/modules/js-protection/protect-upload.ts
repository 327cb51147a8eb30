import { FormatError } from '#engines/bytes/format-error.ts'
import { protectRead } from '#engines/jsguard/protect-script.ts'
import { type ReadScript, readScript } from '#engines/jsguard/read-script.ts'
import { ScriptRefused } from '#engines/jsguard/script-refused.ts'
import { strengthFor } from '#engines/jsguard/strength-options.ts'
import { replaceEntries } from '#engines/zip/replace-entries.ts'
import type { ZipEntry } from '#engines/zip/zip-facts.ts'
import { openUpload } from './open-upload.ts'
import type { DoneList, ScriptMessage, ScriptOrder } from './script-messages.ts'

/** A process ends before its bound and lets another go on, so that the bound is one of each file and not of all. */
const PROCESSOR_SECONDS = 240
const PART_BYTES = 3 * 2 ** 20

type World = {
  say(message: ScriptMessage): void
  /** The next bytes of the input. */
  read(size: number): Buffer
  now(): number
  processorSeconds(): number
}

/** Protects the scripts of an upload from number `from` on, then says the whole result. */
export function protectUpload(
  bytes: Buffer,
  order: Extract<ScriptOrder, { task: 'protect' }>,
  { say, read, now, processorSeconds }: World,
): void {
  const { options, seed } = order
  const { archive, scripts } = openUpload(bytes, order.name)
  const replaced = new Map<number, Uint8Array>()
  const done = JSON.parse(read(order.doneBytes).toString('utf8')) as DoneList
  for (const [script, size] of done) replaced.set(script, read(size))

  for (let script = order.from; script < scripts.length; script++) {
    if (script > order.from && processorSeconds() > PROCESSOR_SECONDS) {
      say({ pause: { from: script } })
      return
    }
    const { name, size, read: readBytes } = scripts[script]!
    const shown = name.slice(0, 1000)
    const begun = now()
    say({ begin: { script, name: shown, size, strength: null } })
    try {
      const below = script === order.from ? order.below : null
      const text = readScript(readBytes(), name)
      const strength = strengthFor(options.preset, text.tokens, below ?? undefined)
      if (!strength) throw new ScriptRefused('too-large', `${text.tokens} tokens`)
      say({ begin: { script, name: shown, size, strength } })
      const result = protectRead(text, strength, { name, options, seed })
      replaced.set(script, Buffer.from(result.code))
      say({
        protected: {
          script,
          name: shown,
          size,
          strength,
          milliseconds: now() - begun,
          evalLines: evalLines(text),
          leftOut: [...result.leftOut],
          code: result.code,
          map: result.map,
        },
      })
    } catch (error) {
      const refusal = asRefusal(error)
      if (!refusal) throw error
      say({ kept: { script, name: shown, size, milliseconds: now() - begun, refusal } })
    }
  }
  if (!archive) {
    say({ end: { bytes: 0 } })
    return
  }
  const entries = new Map<ZipEntry, Uint8Array>()
  for (const [script, code] of replaced) entries.set(archive.scripts[script]!, code)
  const result = replaceEntries(archive.zip, entries)
  for (let at = 0; at < result.length; at += PART_BYTES)
    say({ part: result.subarray(at, at + PART_BYTES).toString('base64') })
  say({ end: { bytes: result.length } })
}

const evalLines = ({ warnings }: ReadScript) => warnings.map(({ line }) => line).slice(0, 50)

function asRefusal(error: unknown) {
  if (error instanceof ScriptRefused)
    return { key: error.key, line: error.line, column: error.column, detail: error.message.slice(0, 1000) }
  if (error instanceof FormatError) return { key: 'checksum', line: 0, column: 0, detail: error.message.slice(0, 1000) }
  return undefined
}

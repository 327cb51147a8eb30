import { COLLECT_LIMITS } from '#contracts/telemetry/wire.ts'
import { EventProblem } from './event-problem.ts'

/** Reading single fields of a wire event. All throw EventProblem with what is expected; null means an absent field. */

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/
const EARLIEST = Date.UTC(2000, 0, 1)
const LATEST = Date.UTC(2100, 0, 1)
const DETAIL_DEPTH = 8
/** What JSON.stringify writes for half of a surrogate pair. */
const BROKEN_CHARACTER = /(?:^|[^\\])(?:\\\\)*\\ud[89a-f]/

/**
 * Whether no text of a JSON body can hold a control character, half a surrogate pair, a quote or a backslash: all but DEL require a
 * backslash in JSON. Its texts then need no check of each character.
 */
export function isPlain(body: string): boolean {
  return !body.includes('\\') && !body.includes('\x7f')
}

/** A text of at most `longest` characters without control characters and broken surrogate pairs; '' if absent. `plain`: isPlain of its body. */
export function textField(field: string, value: unknown, plain = false, longest: number = COLLECT_LIMITS.text): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new EventProblem(field, 'must be text')
  if (value.length > longest) throw new EventProblem(field, `is longer than ${longest} characters`)
  if (plain) return value
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code < 32 || code === 127) throw new EventProblem(field, 'contains a control character')
    if (code >= 0xd800 && code <= 0xdfff) {
      const next = value.charCodeAt(i + 1)
      if (code >= 0xdc00 || !(next >= 0xdc00 && next <= 0xdfff))
        throw new EventProblem(field, 'contains half of a character pair')
      i++
    }
  }
  return value
}

/** Epoch milliseconds of a number or an ISO 8601 text with zone; null where absent. */
export function timeField(field: string, value: unknown): number | null {
  if (value === undefined || value === null) return null
  let time = Number.NaN
  if (typeof value === 'number') time = value
  else if (typeof value === 'string' && value.length <= 40 && ISO_TIME.test(value) && isDay(value))
    time = Date.parse(value.replace(',', '.'))
  if (!(Number.isInteger(time) && time >= EARLIEST && time < LATEST))
    throw new EventProblem(field, 'must be epoch milliseconds or ISO 8601 with zone, in 2000 to 2099')
  return time
}

/** Whether the day that the text begins with exists: Date.parse reads a 30th of February as a day of March. */
function isDay(text: string): boolean {
  return new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDate() === Number(text.slice(8, 10))
}

/** The code of a word of a closed list; `absent` where it is not given. */
export function wordField<T>(field: string, value: unknown, words: ReadonlyMap<string, T>, absent: T): T {
  if (value === undefined || value === null) return absent
  const found = typeof value === 'string' ? words.get(value) : undefined
  if (found === undefined) throw new EventProblem(field, `must be one of ${[...words.keys()].join(', ')}`)
  return found
}

/** An object as JSON of at most `longest` bytes and 8 levels; '' where absent. */
export function detailField(value: unknown, longest: number = COLLECT_LIMITS.detailBytes): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'object' || Array.isArray(value)) throw new EventProblem('detail', 'must be an object')
  if (deeper(value, DETAIL_DEPTH)) throw new EventProblem('detail', `is nested deeper than ${DETAIL_DEPTH} levels`)
  const text = JSON.stringify(value)
  // A character has 3 bytes at most.
  if (text.length > longest || (3 * text.length > longest && Buffer.byteLength(text) > longest))
    throw new EventProblem('detail', `is longer than ${longest} bytes of JSON`)
  if (text.includes('\\ud') && BROKEN_CHARACTER.test(text))
    throw new EventProblem('detail', 'contains half of a character pair')
  return text
}

function deeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const key in value) if (deeper((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}

import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { DIMENSIONS, type Filter, FilterSchema, type Part, PartSchema, TimeBasisSchema } from '#domain/query.ts'
import { log } from '#runtime/log.ts'
import type { StoreQuery } from '../store-query.ts'

/** Questions kept, the newest last, and the characters of JSON that one of them may take. */
const MAX_QUESTIONS = 48
const MAX_TEXT = 8_000
/** A span that ends this short before now moves with the time; another one is of a day in the past, and not asked again. */
const RECENT_MS = 10 * 60_000
const SAVE_MS = 60_000

/** Both ends in milliseconds before the time of asking. */
const SpanAgoSchema = z.strictObject({ from: z.number(), to: z.number() })
const QuestionSchema = z.strictObject({
  span: SpanAgoSchema,
  compared: SpanAgoSchema.optional(),
  basis: TimeBasisSchema,
  zone: z.string().max(64),
  filters: z.array(FilterSchema).max(20),
  scope: z.strictObject({ apps: z.union([z.literal('all'), z.array(z.number().int())]) }),
  parts: z.record(z.string(), PartSchema),
})
type Question = z.infer<typeof QuestionSchema>

/**
 * What users asked of the time that ends now, in `asked.json` of the store's folder, so that the store can prepare its aggregates for them
 * (CacheWarmer). Questions whose filters name a device, a user, an address or a text of an event are not kept, nor parts that the store
 * reads from its rows each time.
 */
export class AskedBefore {
  private readonly file: string
  private readonly now: () => number
  /** By what is asked, without the time of asking; in order of asking. */
  private readonly questions = new Map<string, Question>()
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> = Promise.resolve()

  constructor(folder: string, now: () => number) {
    this.file = join(folder, 'asked.json')
    this.now = now
    for (const one of read(this.file)) this.questions.set(nameOf(one), one)
  }

  /** Keeps a question, if it is of a kind that is kept. */
  add(query: StoreQuery, parts: Readonly<Record<string, Part>>): void {
    const { span, compared, basis, zone, filters, scope } = query
    const at = this.now()
    const age = at - span.to
    const cached = Object.entries(parts).filter(([, { kind }]) => !UNCACHED.has(kind))
    const conditions = [...filters, ...cached.flatMap(([, { and }]) => and)]
    if (!cached.length || age < -RECENT_MS || age > RECENT_MS || !conditions.every(isPlain)) return
    const ago = ({ from, to }: StoreQuery['span']) => ({ from: at - from, to: at - to })
    const question: Question = {
      span: ago(span),
      ...(compared && { compared: ago(compared) }),
      basis,
      zone,
      filters: [...filters],
      scope: { apps: scope.apps === 'all' ? 'all' : [...scope.apps] },
      parts: Object.fromEntries(cached),
    }
    const name = nameOf(question)
    if (name.length > MAX_TEXT) return
    this.questions.delete(name)
    this.questions.set(name, question)
    for (const oldest of this.questions.keys()) {
      if (this.questions.size <= MAX_QUESTIONS) break
      this.questions.delete(oldest)
    }
    this.timer ??= setTimeout(() => void this.save(), SAVE_MS).unref()
  }

  /** The questions as they would be asked now, the newest first. */
  list(): { query: StoreQuery; parts: Record<string, Part> }[] {
    const at = this.now()
    const since = ({ from, to }: Question['span']) => ({ from: at - from, to: at - to })
    return [...this.questions.values()].reverse().map(({ span, compared, parts, ...rest }) => ({
      query: { ...rest, span: since(span), ...(compared && { compared: since(compared) }) },
      parts,
    }))
  }

  /** Resolves once the file holds them; where it cannot be written, that is logged, and the next start prepares nothing. */
  save(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    const text = JSON.stringify([...this.questions.values()])
    this.writing = this.writing
      .then(() => writeFile(`${this.file}.new`, text, { mode: 0o600 }))
      .then(() => rename(`${this.file}.new`, this.file))
      .catch((err: unknown) => log.warn({ err }, 'event store: cannot write which questions were asked'))
    return this.writing
  }
}

/** Parts that have no aggregates. */
const UNCACHED: ReadonlySet<Part['kind']> = new Set(['rows', 'periods'])
/** Words of the vocabulary, applications, places and times are numbers in the store; of texts, a country's code and the empty one, which means unknown. */
const isPlain = ({ field, values }: Filter) =>
  DIMENSIONS[field].stored === 'number' || field === 'country' || values.every((value) => value === '')

/** What is asked; spans count by their length in hours, so that the same page asked a minute later is the same question. */
function nameOf({ span, compared, ...rest }: Question): string {
  const hours = (one: Question['span'] | undefined) => one && Math.round((one.from - one.to) / 3_600_000)
  return JSON.stringify([hours(span), hours(compared), rest])
}

function read(file: string): Question[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return [] // none yet
  }
  try {
    return z.array(QuestionSchema).max(MAX_QUESTIONS).parse(JSON.parse(text))
  } catch {
    // Another version wrote it, or it is torn.
    log.warn({ file }, 'event store: which questions were asked cannot be read; the first answers take longer')
    return []
  }
}

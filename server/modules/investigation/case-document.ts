import { createHash } from 'node:crypto'
import { type ErrorKey, type Language, ProductError } from '#contracts/errors.ts'
import { CASE_STATES, type CaseEntry } from '#contracts/http/investigation.ts'
import { IMPOSSIBLE_KMH, PRECISION_KM, parseSubject, type Subject, subjectText, type TrailStop } from '#domain/trail.ts'
import { truncateAddress } from '#domain/truncate-address.ts'
import { cityByCode, provinceByCode } from '#engines/geo/place-table.ts'
import type { Block, Cell, LabelledText } from '#engines/report/document.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import { type ExportWords, exportWords } from '../../query/export-words.ts'
import { findCase, readEntries } from './case-store.ts'
import { type ReadTrail, readTrail } from './read-trail.ts'
import { deviceReasons, type Reasons } from './report-reasons.ts'
import { type ReportText, reportTexts } from './report-texts.ts'

/** Trails of so many subjects, and so many of their newest stops, are written in full. */
const MOST_TRAILS = 8
const MOST_STOPS = 100
/** What a subject answers that the reader may not ask for. */
const HIDDEN: readonly ErrorKey[] = ['permission.missing', 'data.missing']

type Words = { t: ReportText; w: ExportWords }
type Deps = Pick<ServerDeps, 'meta' | 'store' | 'settings' | 'now'>

/**
 * What the report of a case says: its entries with notes and hashes, and the trails of its subjects. A stored report is read by others, so it
 * has shortened addresses, also for accounts that may read full ones. Throws data.missing where the viewer does not see the case.
 */
export async function caseDocument(
  deps: Deps,
  viewer: Pick<Caller, 'userId' | 'username' | 'scope'>,
  id: string,
  language: Language,
): Promise<{ title: string; subject: string; cover: LabelledText[]; blocks: Block[] }> {
  const data = await findCase(deps.meta.db, viewer, id)
  const { entries: found, withheld } = await readEntries(deps.meta.db, viewer, data.id)
  const entries = found.map(shortened)
  const t = reportTexts(language)
  const { zone } = deps.settings()
  const exact = await exportWords(
    deps.meta,
    language,
    zone,
    (code, one) => (cityByCode(Number(code)) ?? provinceByCode(Number(code)))?.[one],
  )
  // To the second: a reader compares them with other evidence, and a file has the rest.
  const w = { ...exact, time: (at: number | null) => zonedTime(at, zone).slice(0, 19).replace('T', ' ') }
  const words: Words = { t, w }
  const asking: Caller = { ...viewer, kind: 'token', role: '', auth: [], credential: '', address: '', language }
  const trails: Block[] = []
  for (const subject of subjectsOf(entries).slice(0, MOST_TRAILS)) {
    const query = { range: '-185d', timeBasis: 'occurred' as const, compare: 'none' as const, filters: [] }
    // A subject that may not be asked for any more is named without its trail.
    const read = await readTrail(deps, asking, { query, subject }).catch((error: unknown) => {
      if (error instanceof ProductError && HIDDEN.includes(error.key)) return undefined
      throw error
    })
    if (!read) continue
    const reasons = subject.kind === 'device' ? await deviceReasons(deps, asking, subject.key, language) : null
    trails.push(...trailBlocks(subject, read, reasons, words))
  }
  const digest = createHash('sha256')
  for (const { hash } of entries) if (hash) digest.update(`${hash}\n`)
  const hashed = entries.flatMap(({ hash, rows }, at) => (hash ? [[String(at + 1), hash, t('rows', { n: rows })]] : []))
  return {
    title: t('report'),
    subject: data.title,
    cover: [
      { label: t('state'), text: CASE_STATES[data.state][language] },
      { label: t('owner'), text: data.owner },
      { label: t('opened'), text: w.time(data.created_at) },
      ...(data.closed_at === null ? [] : [{ label: t('closed'), text: w.time(data.closed_at) }]),
      { label: t('apps'), text: data.apps.map((app) => w.value('app', app)).join(language === 'zh' ? '、' : ', ') },
      { label: t('made'), text: `${w.time(deps.now())} ${t('by')} ${viewer.username}` },
    ],
    blocks: [
      { kind: 'heading', level: 1, text: t('entries') },
      ...(entries.length === 0 ? [{ kind: 'text', text: t('empty') } as const] : []),
      ...entries.flatMap((entry, at) => entryBlocks(entry, at + 1, words)),
      ...(withheld > 0 ? [{ kind: 'text', text: t('withheld', { n: withheld }), tone: 'quiet' } as const] : []),
      ...(trails.length > 0
        ? ([
            { kind: 'heading', level: 1, text: t('trails') },
            { kind: 'text', text: t('trailAt'), tone: 'quiet' },
            ...trails,
            { kind: 'text', text: t('travelRule', { ...PRECISION_KM, kmh: IMPOSSIBLE_KMH }), tone: 'quiet' },
          ] as const)
        : []),
      { kind: 'heading', level: 1, text: t('integrity') },
      { kind: 'text', text: t('hashRule'), tone: 'quiet' },
      {
        kind: 'table',
        columns: [
          { title: t('number'), share: 1 },
          { title: 'SHA-256', share: 8 },
          { title: t('count'), share: 1.5 },
        ],
        rows: hashed,
      },
      { kind: 'labelled', label: t('digest'), text: digest.digest('hex') },
    ],
  }
}

function shortened(entry: CaseEntry): CaseEntry {
  const { body } = entry
  if (!('subject' in body) || body.subject.kind !== 'address') return entry
  return { ...entry, body: { ...body, subject: { kind: 'address', key: truncateAddress(body.subject.key) } } }
}

function entryBlocks(entry: CaseEntry, number: number, words: Words): Block[] {
  const { t, w } = words
  const { title, lines } = bodyOf(entry, words)
  return [
    { kind: 'heading', level: 2, text: `${number}. ${title}` },
    ...lines.filter(Boolean).map((text): Block => ({ kind: 'text', text })),
    ...(entry.note ? [{ kind: 'labelled', label: t('note'), text: entry.note } as const] : []),
    { kind: 'text', text: `${t('added')} ${w.time(entry.at)}, ${entry.author}`, tone: 'quiet' },
  ]
}

function bodyOf({ body }: CaseEntry, { t, w }: Words): { title: string; lines: string[] } {
  switch (body.kind) {
    case 'note':
      return { title: t('note'), lines: [] }
    case 'erased':
      return { title: t('erased'), lines: [] }
    case 'event': {
      const { event } = body
      const title = event.risk ? w.value('risk', event.risk) : w.value('type', event.type)
      const isRisk = event.type === 'risk'
      return {
        title: `${t('event')}: ${title}`,
        lines: [
          `${w.time(event.occurredAt)}, ${t('arrived', { time: w.time(event.receivedAt) })}`,
          `${w.value('app', event.app)} ${event.version}, ${placeName(event, w)}`,
          isRisk ? t('rule', { risk: w.value('risk', event.risk), level: w.value('level', event.level) }) : '',
          isRisk ? t('action', { action: w.value('action', event.action) }) : '',
          `${t('device')} ${event.device}`,
          event.user ? `${t('user')} ${event.user}` : '',
          event.id,
        ],
      }
    }
    case 'stop':
      return {
        title: `${t('stop')} ${body.number}: ${placeName(body.place, w)}`,
        lines: [
          subjectName(body.subject, t),
          `${w.time(body.from)} – ${w.time(body.to)}`,
          t('events', { n: body.events, m: body.attacks }),
          body.move ? moveText(body.move, t) : '',
        ],
      }
    case 'step': {
      const { step } = body
      const title = step.risk ? w.value('risk', step.risk) : w.value('type', step.type)
      return {
        title: `${title} ×${step.count}`,
        lines: [
          step.risk ? t('rule', { risk: title, level: w.value('level', step.level) }) : '',
          subjectName(body.subject, t),
          `${w.time(step.from)} – ${w.time(step.to)}`,
          `${w.value('app', step.app)}, ${placeName(body.place, w)}`,
        ],
      }
    }
    case 'subject':
      return {
        title: subjectName(body.subject, t),
        lines: [`${w.time(body.first_at)} – ${w.time(body.last_at)}`, t('events', { n: body.events, m: body.attacks })],
      }
  }
}

function subjectName({ kind, key }: Subject, t: ReportText): string {
  return `${t(kind)} ${key}`
}

function moveText(move: { km: number; ms: number; kmh: number; impossible: boolean }, t: ReportText): string {
  const text = `${grouped(move.km)} km, ${(move.ms / 60_000).toFixed(1)} min, ${grouped(move.kmh)} km/h`
  return move.impossible ? `${t('impossible')}: ${text}` : text
}

function reasonLines({ score, limit, lines: rules, verdicts }: Reasons, t: ReportText): string[] {
  const points = rules.map(({ rule, name, count, points }) => `${rule} ${name} ×${count} +${points}`).join(', ')
  const verdict = verdicts.length > 0 ? t('verdict', { verdicts: verdicts.join(', ') }) : ''
  return [t('score', { score, limit }), points, verdict].filter(Boolean)
}

function trailBlocks(subject: Subject, { trail }: ReadTrail, reasons: Reasons | null, words: Words): Block[] {
  const { t } = words
  const texts = [
    ...(reasons ? reasonLines(reasons, t) : []),
    trail.stops.length === 0 ? t('noTrail') : t('events', { n: trail.events, m: trail.attacks }),
    trail.stops.length > 0 && trail.shown < trail.events ? t('trailLater', { n: trail.shown, m: trail.events }) : '',
  ]
  const columns = [
    ...(['number', 'place', 'arrival', 'last', 'count', 'attacks'] as const),
    ...(['distance', 'gap', 'speed', 'kinds'] as const),
  ]
  const shares: Partial<Record<(typeof columns)[number], number>> = {
    place: 2,
    arrival: 2,
    last: 2,
    speed: 2,
    kinds: 3,
  }
  return [
    { kind: 'heading', level: 2, text: subjectName(subject, t) },
    ...texts.filter(Boolean).map((text): Block => ({ kind: 'text', text })),
    ...(trail.stops.length > 0
      ? [
          {
            kind: 'table',
            columns: columns.map((one) => ({ title: t(one), share: shares[one] ?? 1 })),
            rows: trail.stops.slice(-MOST_STOPS).map((stop) => stopRow(stop, words)),
          } as const,
        ]
      : []),
  ]
}

function stopRow(stop: TrailStop, { t, w }: Words): Cell[] {
  const { move } = stop
  const kinds = new Map<string, number>()
  for (const { risk, type, count } of stop.steps) {
    const name = risk ? w.value('risk', risk) : w.value('type', type)
    kinds.set(name, (kinds.get(name) ?? 0) + count)
  }
  const speed = (): Cell => {
    if (!move) return '–'
    const text = `${grouped(move.kmh)} km/h`
    if (move.impossible) return { text: `${text} ${t('impossible')}`, tone: 'strong' }
    return move.judged ? text : `${text} (${t('notJudged')})`
  }
  return [
    String(stop.number),
    placeName(stop.place, w),
    w.time(stop.from),
    w.time(stop.to),
    String(stop.events),
    String(stop.attacks),
    move ? `${grouped(move.km)} km` : '–',
    move ? (move.ms / 60_000).toFixed(1) : '–',
    speed(),
    [...kinds].map(([name, count]) => `${name} ×${count}`).join(', '),
  ]
}

const grouped = (value: number) => Math.round(value).toLocaleString('en-US')

function placeName(
  { country, province, city }: { country: string; province: string; city: string },
  w: ExportWords,
): string {
  const known = (code: string) => code !== '' && code !== '0'
  if (!known(province)) return w.value('country', country)
  const names = [w.value('province', province), ...(known(city) ? [w.value('city', city)] : [])]
  return [...new Set(names)].join(' ')
}

/** The subjects whose trails the report contains: what was pinned as a subject or stop, then devices of pinned events. */
function subjectsOf(entries: readonly CaseEntry[]): Subject[] {
  const found = new Set<string>()
  for (const { body } of entries) if ('subject' in body) found.add(subjectText(body.subject))
  for (const { body } of entries)
    if (body.kind === 'event') found.add(subjectText({ kind: 'device', key: body.event.device }))
  return [...found].map(parseSubject).filter((one) => one !== null)
}

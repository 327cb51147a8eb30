import { createHash } from 'node:crypto'
import { type ErrorKey, type Language, ProductError } from '#contracts/errors.ts'
import { CASE_STATES, type Case, type CaseEntry } from '#contracts/http/investigation.ts'
import { PRODUCTS } from '#contracts/product-names.ts'
import { IMPOSSIBLE_KMH, PRECISION_KM, parseSubject, type Subject, subjectText, type TrailStop } from '#domain/trail.ts'
import { cityByCode, provinceByCode } from '#engines/geo/place-table.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { type ExportWords, exportWords } from '../../query/export-words.ts'
import { type ReadTrail, readTrail } from './read-trail.ts'
import { deviceReasons, type Reasons } from './report-reasons.ts'
import { type ReportText, reportTexts } from './report-texts.ts'

/** Trails of so many subjects, and so many of their newest stops, are written in full. */
const MOST_TRAILS = 8
const MOST_STOPS = 100
/** What a subject answers that the reader may not ask for. */
const HIDDEN: readonly ErrorKey[] = ['permission.missing', 'data.missing']

type Report = { data: Case; entries: CaseEntry[]; withheld: number; language: Language }
type Words = { t: ReportText; w: ExportWords }

/** The case as one page that needs nothing else: printable, both languages, every text escaped. */
export async function caseReportHtml(deps: ServerDeps, caller: Caller, report: Report): Promise<string> {
  const { data, entries, withheld, language } = report
  const { zone, product, product_name } = deps.settings()
  const t = reportTexts(language)
  const w = await exportWords(
    deps.meta,
    language,
    zone,
    (code, one) => (cityByCode(Number(code)) ?? provinceByCode(Number(code)))?.[one],
  )
  const words: Words = { t, w }
  const subjects = subjectsOf(entries).slice(0, MOST_TRAILS)
  const trails: string[] = []
  for (const subject of subjects) {
    const query = { range: '-185d', timeBasis: 'occurred' as const, compare: 'none' as const, filters: [] }
    // A subject that may not be asked for any more is named without its trail.
    const read = await readTrail(deps, caller, { query, subject }).catch((error: unknown) => {
      if (error instanceof ProductError && HIDDEN.includes(error.key)) return undefined
      throw error
    })
    if (!read) continue
    const reasons = subject.kind === 'device' ? await deviceReasons(deps, caller, subject.key, language) : null
    trails.push(trailSection(subject, read, reasons, words))
  }
  const digest = createHash('sha256')
  for (const { hash } of entries) if (hash) digest.update(`${hash}\n`)
  const facts: [string, string][] = [
    [t('state'), CASE_STATES[data.state][language]],
    [t('owner'), data.owner],
    [t('opened'), w.time(data.created_at)],
    ...(data.closed_at === null ? [] : [[t('closed'), w.time(data.closed_at)] as [string, string]]),
    [t('apps'), data.apps.map((app) => w.value('app', app)).join(language === 'zh' ? '、' : ', ')],
    [t('made'), `${w.time(deps.now())} ${t('by')} ${caller.username}`],
  ]
  return `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${esc(data.title)}</title><style>${STYLE}</style></head><body>
<header><p>${esc(product_name || PRODUCTS[product][language])} · ${t('report')}</p><h1>${esc(data.title)}</h1></header>
<dl>${facts.map(([word, value]) => `<div><dt>${esc(word)}</dt><dd>${esc(value)}</dd></div>`).join('')}</dl>
<h2>${t('entries')}</h2>
${entries.length > 0 ? `<table><thead><tr><th>${t('number')}</th><th>${t('what')}</th><th>${t('note')}</th><th>${t('added')}</th></tr></thead><tbody>${entries.map((entry, index) => entryRow(entry, index + 1, words)).join('')}</tbody></table>` : `<p>${t('empty')}</p>`}
${withheld > 0 ? `<p>${t('withheld', { n: withheld })}</p>` : ''}
${trails.length > 0 ? `<h2>${t('trails')}</h2><p class="m">${t('trailAt')}</p>${trails.join('')}<p class="m">${t('travelRule', { ...PRECISION_KM, kmh: IMPOSSIBLE_KMH })}</p>` : ''}
<h2>${t('integrity')}</h2><p class="m">${t('hashRule')}</p>
<table><tbody>${entries.map((entry, index) => (entry.hash ? `<tr><td>${index + 1}</td><td><code>${entry.hash}</code></td><td>${t('rows', { n: entry.rows })}</td></tr>` : '')).join('')}
<tr><th colspan="2">${t('digest')}: <code>${digest.digest('hex')}</code></th><td></td></tr></tbody></table>
</body></html>`
}

const STYLE = `body{font:14px/1.5 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;color:#1f2d3d;max-width:1000px;margin:24px auto;padding:0 24px}
header p{color:#5b6b7f;margin:0}h1{margin:4px 0 16px;font-size:24px}h2{margin:32px 0 8px;font-size:17px;border-bottom:1px solid #cdd5df}h3{margin:20px 0 4px;font-size:14px}
dl{display:grid;grid-template-columns:repeat(2,1fr);gap:4px 24px;margin:0}dl div{display:flex;gap:12px}dt{color:#5b6b7f;min-width:88px}dd{margin:0}
table{width:100%;border-collapse:collapse;font-size:13px}th,td{text-align:left;vertical-align:top;padding:5px 8px;border-bottom:1px solid #e4e7ed}th{color:#5b6b7f;font-weight:400}
code{font:12px ui-monospace,Menlo,Consolas,monospace;word-break:break-all}.m{color:#5b6b7f;font-size:12px}.r{text-align:right}b.x{background:#1f2d3d;color:#fff;padding:1px 6px;border-radius:3px}
.pre{white-space:pre-wrap}@media print{body{margin:0;max-width:none}tr{break-inside:avoid}}`

function entryRow(entry: CaseEntry, number: number, words: Words): string {
  const { w } = words
  return `<tr><td>${number}</td><td>${bodyHtml(entry, words)}</td><td class="pre">${esc(entry.note)}</td><td>${esc(w.time(entry.at))}<br>${esc(entry.author)}</td></tr>`
}

function bodyHtml({ body }: CaseEntry, { t, w }: Words): string {
  switch (body.kind) {
    case 'note':
      return esc(t('note'))
    case 'erased':
      return esc(t('erased'))
    case 'event': {
      const { event } = body
      const title = event.risk ? w.value('risk', event.risk) : w.value('type', event.type)
      const reason =
        event.type === 'risk'
          ? t('rule', { risk: w.value('risk', event.risk), level: w.value('level', event.level) })
          : ''
      return lines([
        `<b>${esc(t('event'))}: ${esc(title)}</b>`,
        esc(`${w.time(event.occurredAt)}, ${t('arrived', { time: w.time(event.receivedAt) })}`),
        esc(`${w.value('app', event.app)} ${event.version}, ${placeName(event, w)}`),
        esc(reason),
        event.type === 'risk' ? esc(t('action', { action: w.value('action', event.action) })) : '',
        `${esc(t('device'))} <code>${esc(event.device)}</code>`,
        event.user ? `${esc(t('user'))} <code>${esc(event.user)}</code>` : '',
        `<code>${esc(event.id)}</code>`,
      ])
    }
    case 'stop':
      return lines([
        `<b>${esc(t('stop'))} ${body.number}: ${esc(placeName(body.place, w))}</b>`,
        subjectHtml(body.subject, t),
        esc(`${w.time(body.from)} – ${w.time(body.to)}`),
        esc(t('events', { n: body.events, m: body.attacks })),
        body.move ? moveHtml(body.move, t) : '',
      ])
    case 'step': {
      const { step } = body
      const title = step.risk ? w.value('risk', step.risk) : w.value('type', step.type)
      return lines([
        `<b>${esc(title)} ×${step.count}</b>`,
        step.risk ? esc(t('rule', { risk: title, level: w.value('level', step.level) })) : '',
        subjectHtml(body.subject, t),
        esc(`${w.time(step.from)} – ${w.time(step.to)}`),
        esc(`${w.value('app', step.app)}, ${placeName(body.place, w)}`),
      ])
    }
    case 'subject':
      return lines([
        `<b>${esc(t(body.subject.kind))}</b>`,
        `<code>${esc(body.subject.key)}</code>`,
        esc(`${w.time(body.first_at)} – ${w.time(body.last_at)}`),
        esc(t('events', { n: body.events, m: body.attacks })),
      ])
  }
}

function subjectHtml({ kind, key }: Subject, t: ReportText): string {
  return `${esc(t(kind))} <code>${esc(key)}</code>`
}

function moveHtml(move: { km: number; ms: number; kmh: number; impossible: boolean }, t: ReportText): string {
  const text = `${Math.round(move.km).toLocaleString('en-US')} km, ${(move.ms / 60_000).toFixed(1)} min, ${Math.round(move.kmh).toLocaleString('en-US')} km/h`
  return move.impossible ? `<b class="x">${esc(t('impossible'))}</b> ${esc(text)}` : esc(text)
}

function reasonsHtml({ score, limit, lines: rules, verdicts }: Reasons, t: ReportText): string {
  const points = rules.map(({ rule, name, count, points }) => `${rule} ${name} ×${count} +${points}`).join(', ')
  const verdict = verdicts.length > 0 ? t('verdict', { verdicts: verdicts.join(', ') }) : ''
  return `<p>${lines([`<b>${esc(t('score', { score, limit }))}</b>`, esc(points), esc(verdict)])}</p>`
}

function trailSection(subject: Subject, { trail }: ReadTrail, reasons: Reasons | null, words: Words): string {
  const { t } = words
  const head = `<h3>${subjectHtml(subject, t)}</h3>${reasons ? reasonsHtml(reasons, t) : ''}`
  if (trail.stops.length === 0) return `${head}<p>${t('noTrail')}</p>`
  const cut =
    trail.shown < trail.events ? `<p class="m">${t('trailLater', { n: trail.shown, m: trail.events })}</p>` : ''
  const columns = [
    'number',
    'place',
    'arrival',
    'last',
    'count',
    'attacks',
    'distance',
    'gap',
    'speed',
    'kinds',
  ] as const
  return `${head}<p>${esc(t('events', { n: trail.events, m: trail.attacks }))}</p>${cut}<table><thead><tr>${columns.map((one) => `<th>${t(one)}</th>`).join('')}</tr></thead><tbody>${trail.stops
    .slice(-MOST_STOPS)
    .map((stop) => stopRow(stop, words))
    .join('')}</tbody></table>`
}

function stopRow(stop: TrailStop, { t, w }: Words): string {
  const { move } = stop
  const kinds = new Map<string, number>()
  for (const { risk, type, count } of stop.steps) {
    const name = risk ? w.value('risk', risk) : w.value('type', type)
    kinds.set(name, (kinds.get(name) ?? 0) + count)
  }
  const speed = move
    ? `${Math.round(move.kmh).toLocaleString('en-US')} km/h${move.impossible ? ` <b class="x">${esc(t('impossible'))}</b>` : move.judged ? '' : ` (${esc(t('notJudged'))})`}`
    : '–'
  const cells = [
    String(stop.number),
    esc(placeName(stop.place, w)),
    esc(w.time(stop.from)),
    esc(w.time(stop.to)),
    String(stop.events),
    String(stop.attacks),
    move ? `${Math.round(move.km).toLocaleString('en-US')} km` : '–',
    move ? (move.ms / 60_000).toFixed(1) : '–',
    speed,
    esc([...kinds].map(([name, count]) => `${name} ×${count}`).join(', ')),
  ]
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
}

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

const lines = (texts: readonly string[]): string => texts.filter(Boolean).join('<br>')

function esc(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[one] as string,
  )
}

import type { GateCondition } from '../detect/result/judge-result.ts'
import { scoreItems } from '../detect/result/score-items.ts'
import type { FrontPage } from './document.ts'
import type { ReportContext } from './report-context.ts'
import { failedItems } from './report-items.ts'

const THINGS = 3
const LEVELS = ['high', 'middle', 'low', 'info'] as const

/** The first page: verdict, gate, score, what to mend first, how much was looked at, the file, and lines to sign. */
export function frontPage(context: ReportContext): FrontPage {
  const { judged, result, words, textOf, terms } = context
  const { gate, score, counts, verdicts } = judged
  const asked = gate.conditions.length > 0
  const unmet = gate.reasons.length
  const taken = LEVELS.flatMap((level) => {
    const points = pointsOf(context, level)
    return points > 0 ? [{ level, points, text: `−${rounded(points)}` }] : []
  })
  return {
    verdict: {
      text: textOf(terms.gate[asked ? gate.verdict : 'none']),
      note: !asked
        ? words('front_no_gate')
        : unmet === 0
          ? words('front_met', { n: gate.conditions.length })
          : words(unmet === 1 ? 'front_unmet_one' : 'front_unmet', { n: unmet }),
      tone: !asked ? 'quiet' : gate.verdict === 'pass' ? 'good' : 'bad',
    },
    gateTitle: words('front_gate', { name: textOf(context.strategy) }),
    conditions: gate.conditions.map((one) => ({ ...conditionText(one, context), met: one.met })),
    score: {
      title: words('score'),
      value: score.value,
      left: words('front_left', { n: score.value }),
      taken,
      counts: LEVELS.map((level) => ({ level, word: textOf(terms.levels[level]), count: counts[level] })),
    },
    first: { title: words('front_first'), ...thingsToMend(context) },
    coverage: {
      title: words('coverage'),
      note: words('front_assessed', { n: result.items.length - verdicts.not_assessed, all: result.items.length }),
      parts: [
        { kind: 'pass', word: words('pass'), count: verdicts.pass },
        { kind: 'fail', word: words('fail'), count: verdicts.fail },
        { kind: 'rest', word: words('not_applicable'), count: verdicts.not_applicable },
        { kind: 'rest', word: textOf(terms.suppressed), count: verdicts.suppressed },
        { kind: 'open', word: words('not_assessed'), count: verdicts.not_assessed },
      ],
    },
    file: { label: words('front_file'), sha256: result.package.sha256 },
    signatures: [
      { label: words('front_prepared'), name: context.operator },
      { label: words('front_checked'), name: '' },
      { label: words('front_approved'), name: '' },
    ],
    signHere: words('front_sign'),
  }
}

/** What the failed items of a level cost, its cap applied. */
function pointsOf({ judged }: ReportContext, level: (typeof LEVELS)[number]): number {
  const levels = new Map<string, string>(judged.items.map((item) => [item.id, item.level]))
  return judged.score.deductions
    .filter(({ item }) => item === `cap-${level}` || levels.get(item) === level)
    .reduce((sum, { points }) => sum + points, 0)
}

/** The three failed items that stand first, each with what the score gains when it is mended after those before it. */
function thingsToMend(context: ReportContext): Pick<FrontPage['first'], 'note' | 'rows'> {
  const { judged, words, textOf, parts } = context
  let left = judged.items.filter((item) => !item.muted)
  let value = judged.score.value
  const rows = failedItems(context)
    .slice(0, THINGS)
    .map(({ id, level, name, advice }) => {
      left = left.filter((item) => item.id !== id)
      const next = scoreItems(left).value
      const gain = next - value
      value = next
      return {
        level,
        name: textOf(name),
        advice: firstSentence(textOf(advice)),
        gain: words('front_gain', { n: rounded(gain) }),
        anchor: parts.includes('details') ? id : null,
      }
    })
  return { note: rows.length === 0 ? words('front_nothing') : words('front_after', { n: rounded(value) }), rows }
}

function conditionText({ key, item, now, required }: GateCondition, { judged, words, textOf, terms }: ReportContext) {
  const level = (one: 'high' | 'middle' | 'low') => words('front_items', { level: textOf(terms.levels[one]) })
  if (key === 'min_score') return { text: words('front_min_score', { n: required }), now: String(rounded(now)) }
  if (key === 'assessed') return { text: words('front_need_assessed'), now: String(now) }
  if (key === 'signature') return { text: words('front_need_signature'), now: words(now > 0 ? 'no' : 'yes') }
  if (key === 'forbidden') {
    const known = judged.items.find(({ id }) => id === item)
    return { text: words('front_must_pass', { name: known ? textOf(known.name) : (item ?? '') }), now: String(now) }
  }
  return {
    text: `${level(key)} ${words(required === 0 ? 'front_zero' : 'front_most', { n: required })}`,
    now: String(now),
  }
}

function firstSentence(text: string): string {
  return /^.*?(?:。|；|\.(?=\s)|;(?=\s)|$)/u.exec(text)?.[0].replace(/[。；;]$/u, '') ?? text
}

function rounded(points: number): number {
  return Math.round(points * 100) / 100
}

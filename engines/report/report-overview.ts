import type { FindingLevel } from '../detect/result/scan-result.ts'
import type { Block } from './document.ts'
import { type LevelBar, levelChart } from './level-chart.ts'
import type { ReportContext } from './report-context.ts'
import { packerName } from './report-facts.ts'

const FIRST_STEPS = 10

/** Verdict, score, counts, and the failed items by category. */
export function overviewBlocks(context: ReportContext): Block[] {
  const { judged, words, textOf, result, categoryName } = context
  const { score, counts, verdicts, gate } = judged
  const passed = gate.verdict === 'pass'
  const asked = gate.conditions.length > 0
  const all = result.items.length
  const { terms } = context
  const levels = terms.levels
  const names = {
    high: textOf(levels.high),
    middle: textOf(levels.middle),
    low: textOf(levels.low),
    info: textOf(levels.info),
  }
  const bars = barsOf(judged.items, categoryName)
  return [
    { kind: 'heading', level: 1, text: words('overview') },
    asked
      ? {
          kind: 'verdict',
          label: words('gate'),
          text: textOf(terms.gate[gate.verdict]),
          tone: passed ? 'good' : 'bad',
        }
      : { kind: 'verdict', label: words('gate'), text: textOf(terms.gate.none), tone: 'quiet' },
    ...gate.reasons.map((reason): Block => ({ kind: 'text', text: textOf(reason), tone: 'bad' })),
    {
      kind: 'facts',
      rows: [
        { label: words('score'), text: words('score_of', { value: score.value }) },
        { label: words('counts'), text: words('counts_text', counts) },
        {
          label: words('verdicts'),
          text: words('verdicts_text', {
            all,
            fail: verdicts.fail,
            pass: verdicts.pass,
            na: verdicts.not_applicable,
            open: verdicts.not_assessed,
            muted: verdicts.suppressed,
          }),
        },
        { label: words('packer'), text: packerName(context) },
      ],
    },
    ...(bars.length > 0
      ? [
          { kind: 'heading', level: 2, text: words('by_category') } as const,
          { kind: 'chart', alt: words('by_category'), ...levelChart(bars, names, terms.colors) } as const,
        ]
      : []),
    ...deductionBlocks({ judged, words, textOf }),
  ]
}

function deductionBlocks({ judged, words, textOf }: Pick<ReportContext, 'judged' | 'words' | 'textOf'>): Block[] {
  const { deductions, formula } = judged.score
  const names = new Map<string, string>(judged.items.map((item) => [item.id, textOf(item.name)]))
  for (const level of ['high', 'middle', 'low'] as const) names.set(`cap-${level}`, words(`cap_${level}`))
  const table: Block = {
    kind: 'table',
    columns: [
      { title: words('item'), share: 5 },
      { title: words('points'), share: 1, align: 'right' },
    ],
    rows: deductions.map(({ item, points }) => [
      names.get(item) ?? item,
      points < 0 ? words('cap_back', { points: rounded(-points) }) : rounded(points),
    ]),
  }
  return [
    { kind: 'heading', level: 2, text: words('deductions') },
    { kind: 'text', text: textOf(formula), tone: 'quiet' },
    // Each item costs the same: the formula says it all.
    ...(deductions.every(({ points }) => points === 1) ? [] : [table]),
  ]
}

function rounded(points: number): string {
  return String(Math.round(points * 100) / 100)
}

/** The failed items that cost most, with what to do. */
export function firstSteps({ judged, words, textOf, terms }: ReportContext): Block[] {
  const items = new Map(judged.items.map((item) => [item.id, item]))
  const first = judged.score.deductions.flatMap(({ item, points }) => {
    const known = items.get(item)
    return known && points > 0 ? [{ known, points }] : []
  })
  if (first.length === 0) return []
  return [
    { kind: 'heading', level: 1, text: words('what_first') },
    {
      kind: 'table',
      columns: [
        { title: words('item'), share: 3 },
        { title: words('level'), share: 1 },
        { title: words('advice'), share: 5 },
      ],
      rows: first
        .slice(0, FIRST_STEPS)
        .map(({ known }) => [
          textOf(known.name),
          { text: textOf(terms.levels[known.level]), tone: known.level },
          textOf(known.advice),
        ]),
    },
  ]
}

function barsOf(items: ReportContext['judged']['items'], categoryName: (category: string) => string): LevelBar[] {
  const byCategory = new Map<string, Record<FindingLevel, number>>()
  for (const { verdict, muted, category, level } of items) {
    if (verdict !== 'fail' || muted) continue
    const counts = byCategory.get(category) ?? { high: 0, middle: 0, low: 0, info: 0 }
    counts[level]++
    byCategory.set(category, counts)
  }
  const weight = ({ high, middle, low, info }: Record<FindingLevel, number>) =>
    high * 1e9 + middle * 1e6 + low * 1e3 + info
  return [...byCategory]
    .sort((a, b) => weight(b[1]) - weight(a[1]) || (a[0] < b[0] ? -1 : 1))
    .map(([category, counts]) => ({ label: categoryName(category), counts }))
}

import type { JudgedItem } from '../detect/result/judge-result.ts'
import type { Finding, FindingLevel } from '../detect/result/scan-result.ts'
import type { Block } from './document.ts'
import { referenceAddress } from './reference-address.ts'
import type { ReportContext } from './report-context.ts'
import { nothing, section } from './report-facts.ts'
import { locationText } from './report-location.ts'

export const OWNER_WORDS = { own: 'own', sdk: 'sdk_code', unknown: 'unknown_owner' } as const
const RANK = { high: 0, middle: 1, low: 2, info: 3 } as const
/** Locations written out of one item: more would not help the reader. */
const EVIDENCE = { manager: 0, developer: 8, regulator: 2 } as const

/** What counts, worst first, own code before libraries. */
export function failedItems({ judged }: ReportContext): JudgedItem[] {
  return judged.items
    .filter(({ verdict, muted }) => verdict === 'fail' && !muted)
    .toSorted((a, b) => RANK[a.level] - RANK[b.level] || Number(a.owner === 'sdk') - Number(b.owner === 'sdk'))
}

export function riskTable(context: ReportContext): Block[] {
  const { words, textOf, categoryName, terms } = context
  return section(
    words('list'),
    failedItems(context),
    (shown) => ({
      kind: 'table',
      columns: [
        { title: words('item'), share: 4 },
        { title: words('category'), share: 1.6 },
        { title: words('level'), share: 1 },
        { title: words('owner'), share: 1.6 },
        { title: words('hits'), share: 0.9, align: 'right' },
      ],
      rows: shown.map((item) => [
        textOf(item.name),
        categoryName(item.category),
        { text: textOf(terms.levels[item.level]), tone: item.level },
        words(OWNER_WORDS[item.owner ?? 'own']),
        String(item.hits),
      ]),
    }),
    words,
  )
}

/** Each failed item with level, threat, result, advice, references and locations. */
export function detailBlocks(context: ReportContext): Block[] {
  const { words } = context
  const failed = failedItems(context)
  return [
    { kind: 'heading', level: 1, text: words('details') },
    ...(failed.length === 0 ? [nothing(words('nothing'))] : []),
    ...failed.flatMap((item) => itemBlocks(item, context)),
  ]
}

function itemBlocks(item: JudgedItem, context: ReportContext): Block[] {
  const { words, textOf, reader, language, terms } = context
  const shown = item.findings.slice(0, EVIDENCE[reader])
  const separator = language === 'zh' ? '，' : ', '
  const found = [
    item.hits === 1 ? words('found_place') : words('found_places', { n: item.hits }),
    ...(item.suppressed > 0 ? [words('suppressed', { n: item.suppressed })] : []),
  ].join(separator)
  const references = Object.values(item.references)
    .flat()
    .map((text) => ({ text, url: referenceAddress(text) }))
  const more = item.hits - shown.length
  return [
    { kind: 'heading', level: 2, text: textOf(item.name), anchor: item.id },
    { kind: 'labelled', label: words('level'), text: textOf(terms.levels[item.level]), tone: item.level },
    { kind: 'labelled', label: words('threat'), text: textOf(item.threat) },
    {
      kind: 'labelled',
      label: words('result'),
      text: item.reason ? `${found}${separator}${textOf(item.reason)}` : found,
    },
    { kind: 'labelled', label: words('advice'), text: textOf(item.advice) },
    ...(references.length > 0 ? [{ kind: 'links', label: words('references'), links: references } as const] : []),
    ...shown.map((finding) => evidenceBlock(finding, item.level, context)),
    ...(more > 0 && shown.length > 0
      ? [nothing(more === 1 ? words('more_place') : words('more_places', { n: more }))]
      : []),
  ]
}

function evidenceBlock(
  { evidence, detail, owner, level }: Finding,
  itemLevel: FindingLevel,
  { words, textOf, terms }: ReportContext,
): Block {
  const whose = owner.kind === 'unknown' ? words('unknown_owner') : owner.sdk
  return {
    kind: 'evidence',
    location: [locationText(evidence), ...(whose ? [whose] : []), ...(level ? [textOf(terms.levels[level])] : [])].join(
      ' · ',
    ),
    note: textOf(detail),
    lines: evidence.snippet ?? [],
    tone: level ?? itemLevel,
  }
}

/** Names of what passed, in two columns to be read one after the other. */
export function passedBlocks({ judged, words, textOf, categoryName }: ReportContext): Block[] {
  return section(
    words('passed'),
    judged.items.filter(({ verdict }) => verdict === 'pass'),
    (shown) => {
      const half = Math.ceil(shown.length / 2)
      const cells = (item: JudgedItem | undefined) =>
        item ? [textOf(item.name), categoryName(item.category)] : ['', '']
      const columns = [
        { title: words('item'), share: 3 },
        { title: words('category'), share: 1.4 },
      ]
      return {
        kind: 'table',
        columns: [...columns, ...columns],
        rows: shown.slice(0, half).map((item, at) => [...cells(item), ...cells(shown[half + at])]),
      }
    },
    words,
  )
}

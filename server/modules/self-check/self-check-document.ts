import { FINDING_LEVELS } from '#contracts/detection/kinds.ts'
import type { Language } from '#contracts/errors.ts'
import { CONCLUSIONS, type Conclusion, type SelfCheckClause } from '#contracts/http/self-check/checks.ts'
import { PRIVACY_SOURCES } from '#engines/detect/catalogue/privacy-data.ts'
import type { Block, LabelledText, Tone } from '#engines/report/document.ts'
import type { ServerDeps } from '../../http/module.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import { countConclusions, readClauses } from './self-check-rows.ts'
import { SELF_CHECK_WORDS } from './self-check-words.ts'

const TEXTS = {
  title: { zh: '违法违规收集使用个人信息自检报告', en: 'Self-check of the collection and use of personal information' },
  application: { zh: '应用', en: 'Application' },
  basis: { zh: '检测依据', en: 'Package detected' },
  noBasis: {
    zh: '没有隐私检测结果，结论只依据人工回答',
    en: 'No privacy detection: conclusions follow from the answers alone',
  },
  answered: { zh: '已回答', en: 'Answered' },
  result: { zh: '结论', en: 'Conclusions' },
  count: { zh: '条款数', en: 'Clauses' },
  good: { zh: '没有违规，也没有与检测不符的条款', en: 'No clause is violated or contradicts the package' },
  bad: { zh: '{n} 条违规或与检测不符', en: '{n} clauses are violated or contradict the package' },
  open: { zh: '{n} 条待回答', en: '{n} clauses are open' },
  clause: { zh: '条款', en: 'Clause' },
  check: { zh: '检查项', en: 'Check' },
  answer: { zh: '回答', en: 'Answer' },
  machine: { zh: '静态检测', en: 'Package' },
  violations: { zh: '违规与不符的条款', en: 'Clauses that are violated or contradict the package' },
  level: { zh: '等级', en: 'Level' },
  question: { zh: '问题', en: 'Question' },
  note: { zh: '说明', en: 'Note' },
  reason: { zh: '静态依据', en: 'Reason' },
  none: { zh: '未回答', en: 'not answered' },
} as const
const TONES: Readonly<Record<Conclusion, Tone>> = {
  violate: 'bad',
  conflict: 'bad',
  open: 'quiet',
  conform: 'good',
  not_applicable: 'quiet',
}

/** What the self-check report of an application says: counts, every violated clause in full, and all clauses by source. */
export async function selfCheckDocument(
  deps: Pick<ServerDeps, 'meta' | 'files'>,
  app: { id: number; name: string },
  language: Language,
  zone: string,
): Promise<{ title: string; subject: string; cover: LabelledText[]; blocks: Block[] }> {
  const t = (key: keyof typeof TEXTS, n = 0) => TEXTS[key][language].replace('{n}', String(n))
  const { clauses, basis } = await readClauses(deps, app.id)
  const counts = countConclusions(clauses)
  const bad = clauses.filter(({ conclusion }) => conclusion === 'violate' || conclusion === 'conflict')
  const answered = clauses.filter(({ answer }) => answer !== null).length
  const said = basis
    ? `${basis.name} ${basis.version}, ${zonedTime(basis.at, zone).slice(0, 16).replace('T', ' ')}`
    : t('noBasis')
  const conclusionOf = ({ conclusion }: SelfCheckClause) => CONCLUSIONS[conclusion][language]
  const answerOf = ({ answer }: SelfCheckClause) => (answer ? SELF_CHECK_WORDS[answer.value][language] : t('none'))
  const machineOf = ({ machine }: SelfCheckClause) => (machine ? SELF_CHECK_WORDS[machine.verdict][language] : '')
  return {
    title: t('title'),
    subject: app.name,
    cover: [
      { label: t('application'), text: app.name },
      { label: t('basis'), text: said },
      { label: t('answered'), text: `${answered} / ${clauses.length}` },
    ],
    blocks: [
      { kind: 'heading', level: 1, text: t('result') },
      {
        kind: 'verdict',
        label: t('result'),
        text: bad.length > 0 ? t('bad', bad.length) : counts.open > 0 ? t('open', counts.open) : t('good'),
        tone: bad.length > 0 ? 'bad' : counts.open > 0 ? 'quiet' : 'good',
      },
      {
        kind: 'table',
        columns: [
          { title: t('result'), share: 3 },
          { title: t('count'), share: 1, align: 'right' },
        ],
        rows: (Object.keys(counts) as Conclusion[]).map((one) => [
          { text: CONCLUSIONS[one][language], tone: TONES[one] },
          String(counts[one]),
        ]),
      },
      ...(bad.length > 0 ? [{ kind: 'heading', level: 1, text: t('violations') } as const] : []),
      ...bad.flatMap((one): Block[] => [
        { kind: 'heading', level: 2, text: `${one.source} ${one.clause} ${one.name[language]}` },
        { kind: 'labelled', label: t('result'), text: conclusionOf(one), tone: 'bad' },
        { kind: 'labelled', label: t('level'), text: FINDING_LEVELS[one.level][language], tone: one.level },
        { kind: 'labelled', label: t('question'), text: one.question[language] },
        {
          kind: 'labelled',
          label: t('answer'),
          text: one.answer ? `${answerOf(one)} (${one.answer.by})` : answerOf(one),
        },
        ...(one.answer?.note ? [{ kind: 'labelled', label: t('note'), text: one.answer.note } as const] : []),
        ...(one.machine
          ? [
              {
                kind: 'labelled',
                label: t('reason'),
                text: `${machineOf(one)}: ${one.machine.reason[language]}`,
              } as const,
            ]
          : []),
      ]),
      ...[...PRIVACY_SOURCES].flatMap(([source, name]): Block[] => {
        const rows = clauses.filter((one) => one.source === source)
        if (rows.length === 0) return []
        return [
          { kind: 'heading', level: 1, text: name[language] },
          {
            kind: 'table',
            columns: [
              { title: t('clause'), share: 1 },
              { title: t('check'), share: 4 },
              { title: t('answer'), share: 1.2 },
              { title: t('machine'), share: 1.2 },
              { title: t('result'), share: 1.4 },
            ],
            rows: rows.map((one) => [
              one.clause,
              one.name[language],
              answerOf(one),
              machineOf(one),
              { text: conclusionOf(one), tone: TONES[one.conclusion] },
            ]),
          },
        ]
      }),
    ],
  }
}

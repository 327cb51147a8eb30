import { FINDING_LEVELS } from '#contracts/detection/kinds.ts'
import type { Language } from '#contracts/errors.ts'
import {
  BUNDLE_NOTE,
  ENGINE_NOTE,
  LIBRARY_NOTE,
  LINE_OUTCOMES,
  OPTION_STATES,
  type OptionResult,
  type OptionState,
  REINFORCE_CHECKS,
  type ReinforceReport,
} from '#contracts/http/reinforce-tasks.ts'
import { formatBytes, formatExact } from '#domain/number-text.ts'
import { FIGURES, figureChange, figureRows, figureText } from '#domain/package-figures.ts'
import { isLibraryKind } from '#domain/reinforce-kinds.ts'
import { REINFORCE_GRADES, REINFORCE_OPTIONS } from '#domain/reinforce-options.ts'
import type { Block, LabelledText, Tone } from '#engines/report/document.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import type { ListedTask } from './reinforce-rows.ts'

const TEXTS = {
  title: { zh: '加固报告', en: 'Reinforcement report' },
  application: { zh: '应用', en: 'Application' },
  kind: { zh: '类型', en: 'Kind' },
  package: { zh: '包名', en: 'Package name' },
  version: { zh: '版本', en: 'Version' },
  policy: { zh: '策略', en: 'Policy' },
  revision: { zh: '{name}，第 {n} 版', en: '{name}, revision {n}' },
  when: { zh: '完成时间', en: 'Done' },
  by: { zh: '操作人', en: 'Operator' },
  result: { zh: '结论', en: 'Result' },
  all: { zh: '{n} 个选项全部生效', en: 'All {n} options applied' },
  some: {
    zh: '{n} 个选项中，{applied} 个生效，{partial} 个部分生效，{left} 个没有生效',
    en: 'Of {n} options, {applied} applied, {partial} applied in part, {left} had no effect',
  },
  failedChecks: { zh: '{n} 项校验没有通过', en: '{n} checks failed' },
  original: { zh: '原包', en: 'Original' },
  reinforced: { zh: '加固包', en: 'Reinforced' },
  hashBefore: { zh: '原包 SHA-256', en: 'SHA-256 of the original' },
  hashAfter: { zh: '加固包 SHA-256', en: 'SHA-256 of the result' },
  size: { zh: '体积', en: 'Size' },
  verified: { zh: '验证方式', en: 'How it was verified' },
  options: { zh: '选项', en: 'Options' },
  option: { zh: '选项', en: 'Option' },
  grade: { zh: '等级', en: 'Grade' },
  state: { zh: '结果', en: 'Result' },
  applied: { zh: '生效', en: 'Applied' },
  skipped: { zh: '跳过，为什么', en: 'Skipped, and why' },
  nothing: { zh: '没有', en: 'none' },
  more: { zh: '另有 {n} 种，见 CSV', en: '{n} more kinds, in the CSV' },
  limits: { zh: '每个选项做不到什么', en: 'What each option does not cover' },
  figures: { zh: '前后', en: 'Before and after' },
  figure: { zh: '项目', en: 'Figure' },
  change: { zh: '变化', en: 'Change' },
  same: { zh: '不变', en: 'same' },
  methods: { zh: '同一个方法，前后', en: 'One method, before and after' },
  lines: { zh: '{side}，{n} 行', en: '{side}, {n} lines' },
  checks: { zh: '校验', en: 'Checks' },
  check: { zh: '校验项', en: 'Check' },
  passed: { zh: '通过', en: 'Passed' },
  failed: { zh: '没有通过', en: 'Failed' },
  detail: { zh: '说明', en: 'Detail' },
  signature: { zh: '签名', en: 'Signature' },
  schemes: { zh: '方式', en: 'Schemes' },
  subject: { zh: '证书主体', en: 'Subject' },
  certificate: { zh: '证书 SHA-256', en: 'Certificate SHA-256' },
  unsigned: {
    zh: '没有签名：策略没有签名文件，自己签名后才能安装。',
    en: 'Not signed: the policy has no signature file. Sign the package before it installs.',
  },
  unsignedLibrary: {
    zh: '没有签名：库随集成它的应用一起签名。',
    en: 'Not signed: a library is signed with the application that includes it.',
  },
  unusedSignature: {
    zh: '没有签名：库随集成它的应用一起签名，策略的签名文件“{name}”没有使用。',
    en: 'Not signed: a library is signed with the application that includes it, so the signature file {name} was not used.',
  },
  rescan: { zh: '复检', en: 'Second scan' },
  hidden: {
    zh: '其中 {hidden} 个问题被壳隐藏：代码或文件加密后扫描看不到，但仍在包中，不算关闭。',
    en: '{hidden} of the findings that remain are hidden by the shell: encrypted code and files do not show them. They are still there and do not count as closed.',
  },
  rescanNote: {
    zh: '用检测规则再测一次，和原包比较。评分 {before}，加固后 {after}；关闭 {closed} 个问题，新增 {added} 个，不变 {unchanged} 个。',
    en: 'Scanned again and compared with the original. Score {before}, after {after}; {closed} findings closed, {added} new, {unchanged} unchanged.',
  },
  noRescan: { zh: '没有复检结果。', en: 'No second scan.' },
  level: { zh: '等级', en: 'Level' },
  item: { zh: '问题', en: 'Finding' },
  closed: { zh: '关闭', en: 'Closed' },
  added: { zh: '新增', en: 'New' },
  unchanged: { zh: '不变', en: 'Unchanged' },
  stays: {
    zh: '不变的问题这次加固没有解决，多数要在源码或配置里改。',
    en: 'This reinforcement did not close unchanged findings; most need a change of the source or its configuration.',
  },
  notes: { zh: '说明', en: 'Notes' },
} as const

const TONES: Readonly<Record<OptionState, Tone>> = {
  applied: 'good',
  partial: 'strong',
  skipped: 'quiet',
  not_built: 'quiet',
}
/** Sums of an option in one cell; all of them are in the CSV. */
const MOST_SUMS = 6

/** The report of a reinforced package: the same figures and words as its page (HARD-06). */
export function reinforceDocument(
  row: ListedTask,
  report: ReinforceReport,
  language: Language,
  zone: string,
): { title: string; subject: string; cover: LabelledText[]; blocks: Block[] } {
  const t = (key: keyof typeof TEXTS, values: Record<string, string | number> = {}) =>
    TEXTS[key][language].replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''))
  const options = report.options.toSorted((a, b) => Number(a.state === 'not_built') - Number(b.state === 'not_built'))
  const withState = (state: OptionState) => options.filter((one) => one.state === state).length
  const [applied, partial] = [withState('applied'), withState('partial')]
  const failed = report.checks.filter(({ passed }) => !passed).length
  const left = options.length - applied - partial
  const hasDetail = report.checks.some(({ detail }) => detail !== '')
  // The page has the others: each takes pages.
  const [shown] = report.methods
  const isLibrary = isLibraryKind(row.kind)
  const unsigned = report.unused_signature ? 'unusedSignature' : isLibrary ? 'unsignedLibrary' : 'unsigned'
  const facts = (rows: readonly (readonly [label: keyof typeof TEXTS, text: string])[]): Block => ({
    kind: 'facts',
    rows: rows.map(([label, text]) => ({ label: t(label), text })),
  })
  return {
    title: t('title'),
    subject: `${row.name} ${row.version}`.trim(),
    cover: [
      ...(row.app_name ? [{ label: t('application'), text: row.app_name }] : []),
      { label: t('kind'), text: row.kind.toUpperCase() },
      ...(row.package_name ? [{ label: t('package'), text: row.package_name }] : []),
      ...(row.version ? [{ label: t('version'), text: row.version }] : []),
      { label: t('policy'), text: t('revision', { name: row.policy_name, n: row.policy_rev }) },
      {
        label: t('when'),
        text: row.ended_at === null ? '—' : zonedTime(row.ended_at, zone).slice(0, 16).replace('T', ' '),
      },
      { label: t('by'), text: row.username ?? '—' },
    ],
    blocks: [
      { kind: 'heading', level: 1, text: t('result') },
      {
        kind: 'verdict',
        label: t('result'),
        text:
          failed > 0
            ? t('failedChecks', { n: failed })
            : t(applied === options.length ? 'all' : 'some', { n: options.length, applied, partial, left }),
        tone: failed > 0 ? 'bad' : applied === options.length ? 'good' : 'strong',
      },
      facts([
        ['hashBefore', row.sha256],
        ['hashAfter', report.sha256],
        ['size', `${formatBytes(report.before.size)} → ${formatBytes(report.after.size)}`],
        ['verified', (isLibrary ? LIBRARY_NOTE : row.kind === 'aab' ? BUNDLE_NOTE : ENGINE_NOTE)[language]],
      ]),
      { kind: 'heading', level: 1, text: t('options') },
      {
        kind: 'table',
        columns: [
          { title: t('option'), share: 2.2 },
          { title: t('grade'), share: 0.7 },
          { title: t('state'), share: 1.3 },
          { title: t('applied'), share: 3 },
          { title: t('skipped'), share: 3.4 },
        ],
        rows: options.map((one) => [
          REINFORCE_OPTIONS[one.option][language],
          REINFORCE_OPTIONS[one.option].grade,
          { text: OPTION_STATES[one.state][language], tone: TONES[one.state] },
          sumsText(one, ['applied']),
          sumsText(one, ['skipped', 'absent']),
        ]),
      },
      ...Object.entries(REINFORCE_GRADES).map(
        ([grade, words]): Block => ({ kind: 'labelled', label: grade, text: words[language], tone: 'quiet' }),
      ),
      { kind: 'heading', level: 1, text: t('figures') },
      {
        kind: 'table',
        columns: [
          { title: t('figure'), share: 3 },
          { title: t('original'), share: 2, align: 'right' },
          { title: t('reinforced'), share: 2, align: 'right' },
          { title: t('change'), share: 2, align: 'right' },
        ],
        rows: figureRows(report.before, report.after).map((one) => [
          FIGURES[one.key][language],
          figureText(one.before, one.unit),
          figureText(one.after, one.unit),
          figureChange(one) || t('same'),
        ]),
      },
      { kind: 'heading', level: 1, text: t('checks') },
      {
        kind: 'table',
        columns: [
          { title: t('check'), share: 4 },
          { title: t('state'), share: 1.2 },
          ...(hasDetail ? [{ title: t('detail'), share: 3 }] : []),
        ],
        rows: report.checks.map(({ check, passed, detail }) => [
          REINFORCE_CHECKS[check][language],
          { text: t(passed ? 'passed' : 'failed'), tone: passed ? 'good' : 'bad' },
          ...(hasDetail ? [detail] : []),
        ]),
      },
      { kind: 'heading', level: 1, text: t('signature') },
      report.signed
        ? facts([
            ['schemes', report.signed.schemes.join(' ')],
            ['subject', report.signed.subject],
            ['certificate', report.signed.sha256],
          ])
        : { kind: 'text', text: t(unsigned, { name: report.unused_signature }) },
      ...(isLibrary ? [] : [{ kind: 'heading', level: 1, text: t('rescan') } as const, ...rescanBlocks()]),
      { kind: 'heading', level: 1, text: t('limits') },
      ...options.map(
        ({ option }): Block => ({
          kind: 'labelled',
          label: REINFORCE_OPTIONS[option][language],
          text: REINFORCE_OPTIONS[option].limit[language],
        }),
      ),
      ...(report.notes.length > 0 ? [{ kind: 'heading', level: 1, text: t('notes') } as const] : []),
      ...report.notes.map((text): Block => ({ kind: 'text', text })),
      ...(shown
        ? [
            { kind: 'heading', level: 1, text: t('methods') } as const,
            evidence(shown.method, t('original'), shown.before),
            evidence(shown.method, t('reinforced'), shown.after),
          ]
        : []),
    ],
  }

  function sumsText({ sums }: OptionResult, outcomes: readonly OptionResult['sums'][number]['outcome'][]): string {
    const lines = sums.filter(({ outcome }) => outcomes.includes(outcome)).toSorted((a, b) => b.count - a.count)
    if (lines.length === 0) return t('nothing')
    const said = lines.slice(0, MOST_SUMS).map(({ outcome, text, count }) => {
      const mark = outcome === 'absent' ? `${LINE_OUTCOMES.absent[language]}: ` : ''
      return `${mark}${text} ${formatExact(count)}`
    })
    if (lines.length > MOST_SUMS) said.push(t('more', { n: lines.length - MOST_SUMS }))
    return said.join(language === 'zh' ? '；' : '; ')
  }

  function evidence(location: string, side: string, lines: readonly string[]): Block {
    return { kind: 'evidence', location, note: t('lines', { side, n: lines.length }), lines }
  }

  function rescanBlocks(): Block[] {
    const { rescan, rescan_note } = report
    if (!rescan) return [{ kind: 'text', text: `${t('noRescan')} ${rescan_note}`.trim() }]
    const { score_before: before, score_after: after, closed, added, unchanged, hidden, items } = rescan
    return [
      { kind: 'text', text: t('rescanNote', { before, after, closed, added, unchanged }) },
      ...(hidden > 0 ? [{ kind: 'text', text: t('hidden', { hidden }) } as const] : []),
      {
        kind: 'table',
        columns: [
          { title: t('level'), share: 1.2 },
          { title: t('item'), share: 4 },
          { title: t('closed'), share: 1, align: 'right' },
          { title: t('added'), share: 1, align: 'right' },
          { title: t('unchanged'), share: 1, align: 'right' },
        ],
        rows: items.map((one) => [
          { text: FINDING_LEVELS[one.level][language], tone: one.level },
          one.name[language],
          ...[one.closed, one.added, one.unchanged].map(formatExact),
        ]),
      },
      ...(unchanged > 0 ? [{ kind: 'text', text: t('stays'), tone: 'quiet' } as const] : []),
    ]
  }
}

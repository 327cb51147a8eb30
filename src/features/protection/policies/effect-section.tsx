import { useMemo } from 'react'
import type { Deployment, Policy } from '#contracts/http/policies.ts'
import { changedRules } from '#domain/policy-rules.ts'
import type { Filter, Measures, Query } from '#domain/query.ts'
import { absoluteRange } from '#domain/time-range.ts'
import { RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { formatExact, formatPercent } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { deploymentTexts } from './deployment-texts.ts'

const MINUTE_MS = 60_000
const LONGEST_MS = 30 * 86_400_000

/** Attacks before and after the deployment, over equal times, with how many of them were blocked; the risks that it changed come first. */
export function EffectSection({
  policy,
  live,
  onRows,
}: {
  policy: Policy
  live: Deployment
  onRows: (query: Query) => void
}) {
  const t = useTexts(deploymentTexts)
  const language = useLanguage()
  // Advances by the minute: one answer stays long enough to be read and opened.
  const minute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
  const from = Math.max(live.created_at, minute - LONGEST_MS)
  const span = { from, to: Math.max(minute, from + MINUTE_MS) }
  const before = { from: span.from - (span.to - span.from), to: span.from }
  const filters: Filter[] = [
    { field: 'app', op: 'is', values: [policy.appid] },
    ...(live.app_versions.length
      ? [{ field: 'version', op: 'is', values: live.app_versions } as const satisfies Filter]
      : []),
  ]
  const query: Query = { range: absoluteRange(span), timeBasis: 'received', compare: 'previous', filters }
  const risk: Filter = { field: 'type', op: 'is', values: ['risk'] }
  const result = useStatistics(query, {
    risks: { kind: 'top', by: 'risk', measures: ['attacks', 'blocked'], limit: 50, and: [risk] },
    health: { kind: 'total', measures: ['starts', 'crashes'] },
  })
  const [risks, health] = [result.part('risks'), result.part('health')]
  const touched = useMemo(() => touchedBy(policy, live), [policy, live])
  const rows =
    risks.kind === 'ready'
      ? risks.answer.groups
          .filter(({ key }) => key in RISK_TYPES)
          .toSorted((a, b) => Number(touched.has(b.key)) - Number(touched.has(a.key)))
          .slice(0, 8)
      : []
  const rowsOf = (key: string, at: { from: number; to: number }) =>
    onRows({
      ...query,
      range: absoluteRange(at),
      compare: 'none',
      filters: [...filters, risk, { field: 'risk', op: 'is', values: [key] }],
    })
  return (
    <Section
      plain
      title={t('effect')}
      note={t('effectNote', { version: live.version, span: spanText(span.to - span.from, language) })}
      state={risks.kind === 'loading' ? 'loading' : 'ready'}
    >
      {risks.kind === 'error' ? (
        <ErrorState error={risks.error} onRetry={risks.retry} />
      ) : rows.length === 0 ? (
        <p className="px-5 pb-3 text-12 text-muted">{t('effectNone')}</p>
      ) : (
        <table className="mx-5 mb-2 table-fixed text-12">
          <thead>
            <tr className="h-6 text-right text-muted">
              <th className="w-2/5" />
              <th className="font-normal">{t('before')}</th>
              <th className="font-normal">{t('blocked')}</th>
              <th className="font-normal">{t('after')}</th>
              <th className="font-normal">{t('blocked')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, row, previous }) => (
              <tr key={key} data-effect={key} className={`h-6 text-right ${touched.has(key) ? 'bg-selected' : ''}`}>
                <th scope="row" className="max-w-32 text-clip-line text-left font-normal">
                  {RISK_TYPES[key as RiskType][language]}
                </th>
                <Count value={previous} onPress={() => rowsOf(key, before)} />
                <Count value={row} onPress={() => rowsOf(key, span)} />
              </tr>
            ))}
          </tbody>
          {health.kind === 'ready' && (
            <tfoot>
              <tr className="h-7 border-t text-right">
                <th scope="row" className="text-left font-normal">
                  {t('crashRate')}
                </th>
                <td>{rate(health.answer.previous)}</td>
                <td />
                <td>{rate(health.answer.row)}</td>
                <td />
              </tr>
            </tfoot>
          )}
        </table>
      )}
    </Section>
  )
}

function Count({ value, onPress }: { value: Measures | undefined; onPress: () => void }) {
  const attacks = value?.attacks ?? 0
  return (
    <>
      <td>
        <button type="button" className="hover:text-brand-text hover:underline" onClick={onPress}>
          {formatExact(attacks)}
        </button>
      </td>
      <td className="text-muted">{attacks > 0 ? formatPercent((value?.blocked ?? 0) / attacks) : '–'}</td>
    </>
  )
}

/** Risks about which this deployment says something else than the one before it. */
function touchedBy(policy: Policy, live: Deployment): ReadonlySet<string> {
  const rules = (version: number | null) => policy.versions.find((one) => one.version === version)?.rules
  const [next, old] = [rules(live.version), rules(live.before)]
  return new Set(next && old ? changedRules(old, next).map((one) => one.risk) : [])
}

function rate(measures: Measures | undefined): string {
  return measures?.starts ? (((measures.crashes ?? 0) / measures.starts) * 1000).toFixed(1) : '–'
}

/** `3 h`, `2 d`: long enough to know what is compared. */
function spanText(milliseconds: number, language: 'zh' | 'en'): string {
  const minutes = Math.round(milliseconds / MINUTE_MS)
  const [count, zh, en] =
    minutes < 120
      ? [minutes, '分钟', 'min']
      : minutes < 2880
        ? [Math.round(minutes / 60), '小时', 'h']
        : [Math.round(minutes / 1440), '天', 'd']
  return `${count} ${language === 'zh' ? zh : en}`
}

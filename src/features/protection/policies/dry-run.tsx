import { actionOfRisk, type PolicyRules } from '#domain/policy-rules.ts'
import { ACTIONS, BLOCKED_FROM, RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { policyTexts } from './policy-texts.ts'

/** How many of these attacks the rules would block. */
function blockedBy(rules: PolicyRules, counts: ReadonlyMap<string, number>): number {
  let blocked = 0
  for (const [risk, count] of counts)
    if (risk in RISK_TYPES && ACTIONS[actionOfRisk(rules, risk as RiskType)].code >= BLOCKED_FROM) blocked += count
  return blocked
}

/** The foot of the matrix: what the draft would have done with the attacks of the last days. */
export function DryRun({
  counts,
  draft,
  name,
  before,
}: {
  counts: ReadonlyMap<string, number> | undefined
  draft: PolicyRules
  /** What the rules are called: the draft, or its version. */
  name: string
  before: { version: number; rules: PolicyRules } | undefined
}) {
  const t = useTexts(policyTexts)
  const next = counts ? blockedBy(draft, counts) : 0
  const old = counts && before ? blockedBy(before.rules, counts) : 0
  const total = counts ? [...counts.values()].reduce((sum, count) => sum + count, 0) : 0
  const difference = next - old
  return (
    <p className="px-5 py-2.5 text-12 text-muted" data-testid="dry-run">
      {t('countLegend')}{' '}
      {counts &&
        (before
          ? t('dryRun', {
              total: formatExact(total),
              name,
              next: formatExact(next),
              before: formatExact(old),
              version: `v${before.version}`,
              difference: `${difference > 0 ? '+' : ''}${formatExact(difference)}`,
            })
          : t('dryRunFirst', { total: formatExact(total), name, next: formatExact(next) }))}
    </p>
  )
}

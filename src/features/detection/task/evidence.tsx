import { Ban, ChevronDown, ChevronRight } from 'lucide-react'
import { OWNER_KINDS } from '#contracts/detection/kinds.ts'
import type { resultItem } from '#contracts/http/detection/result.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { FindingLevelMark } from '#src/features/detection/parts/finding-level.tsx'
import { LocationLine, LocationView } from '#src/features/detection/parts/location-view.tsx'
import { useOwnerName } from '#src/features/detection/parts/use-owner-name.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { Address } from '#src/shared/table/use-address.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { reportTexts } from './report-texts.ts'
import { SuppressionLine } from './suppression-line.tsx'

type ShownFinding = ResponseOf<typeof resultItem>['findings'][number]

/** The locations where an item was found; the open one (the first, unless the address names another) shows its decoded lines. */
export function Evidence({
  task,
  findings,
  hits,
  address,
  onSuppress,
}: {
  task: string
  findings: readonly ShownFinding[]
  hits: number
  address: Address
  /** Absent without the right to it. */
  onSuppress: ((fingerprint: string) => void) | undefined
}) {
  const t = useTexts(reportTexts)
  const language = useLanguage()
  const ownerName = useOwnerName(task)
  const named = address.params.get('finding')
  const opened = named ?? findings[0]?.fingerprint
  return (
    <div className="flex flex-col gap-1">
      {findings.map((finding, index) => {
        const isOpen = finding.fingerprint === opened
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two findings of one fingerprint differ by their location alone
          <section key={`${finding.fingerprint} ${index}`} className={isOpen ? 'pb-2' : ''}>
            <div className="flex items-start gap-1">
              <button
                type="button"
                aria-expanded={isOpen}
                onClick={() => address.setParams({ finding: isOpen ? 'none' : finding.fingerprint }, true)}
                className="flex min-h-6 min-w-0 flex-1 items-start gap-1 rounded-small text-left hover:bg-hover"
              >
                <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} className="mt-1 text-muted" />
                <span className={`min-w-0 ${finding.suppression ? 'text-muted line-through' : ''}`}>
                  {isOpen ? finding.detail[language] : <LocationLine location={finding.evidence} />}
                </span>
              </button>
              {finding.level && <FindingLevelMark level={finding.level} />}
              <span className="flex-none pt-0.5 text-12 text-muted">
                {finding.owner.sdk ? ownerName(finding.owner.sdk) : OWNER_KINDS[finding.owner.kind][language]}
              </span>
              {onSuppress && !finding.suppression && isOpen && (
                <IconButton
                  size="small"
                  icon={Ban}
                  label={t('suppress')}
                  onPress={() => onSuppress(finding.fingerprint)}
                />
              )}
            </div>
            {isOpen && (
              <div className="pt-1 pl-[18px]">
                {finding.suppression && <SuppressionLine suppression={finding.suppression} />}
                <LocationView location={finding.evidence} />
              </div>
            )}
          </section>
        )
      })}
      {hits > findings.length && (
        <p className="text-12 text-muted">{t('evidenceKept', { hits, kept: findings.length })}</p>
      )}
    </div>
  )
}

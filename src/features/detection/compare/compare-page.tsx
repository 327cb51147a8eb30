import { ArrowLeftRight, Printer } from 'lucide-react'
import { Link } from 'react-router-dom'
import { OWNER_KINDS, PACKAGE_FIELDS } from '#contracts/detection/kinds.ts'
import { UNKNOWN_OWNER } from '#contracts/detection/scan-result.ts'
import { compareTasks } from '#contracts/http/detection/result.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { PAGES } from '#contracts/pages.ts'
import { detectionTexts } from '#src/features/detection/parts/detection-texts.ts'
import { LevelCounts } from '#src/features/detection/parts/finding-level.tsx'
import { ScoreDelta } from '#src/features/detection/parts/score-delta.tsx'
import { taskPath } from '#src/features/detection/parts/task-path.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { type Address, useAddress } from '#src/shared/table/use-address.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { ForbiddenState } from '#src/shared/ui/forbidden-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { compareTexts } from './compare-texts.ts'
import { ItemChanges } from './item-changes.tsx'
import { PartChanges } from './part-changes.tsx'
import { RecentPairs } from './recent-pairs.tsx'
import { TaskChoice } from './task-choice.tsx'

type Compared = ResponseOf<typeof compareTasks>
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** /detection/compare: what changed from one detection to another; `before` and `after` in the address. Prints as the compare report. */
export default function ComparePage() {
  const t = useTexts(compareTexts)
  const language = useLanguage()
  const address = useAddress()
  const mayView = useMay('detect.view')
  const side = (name: 'before' | 'after') => {
    const id = address.params.get(name)
    return id && UUID.test(id) ? id : null
  }
  const [before, after] = [side('before'), side('after')]
  const ready = mayView && before !== null && after !== null && before !== after
  const answer = useEndpoint(
    compareTasks,
    { query: { before: before ?? '', after: after ?? '' } },
    { enabled: ready, placeholderData: (last) => last },
  )
  const both = answer.data
  usePageSubject(ready ? both?.after.name : '', both && `${both.before.version} → ${both.after.version}`)
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <div className="mx-auto w-full max-w-[1160px]">
        <PageTitle
          title={PAGES.compare[language]}
          actions={
            ready && (
              <Button icon={Printer} onPress={() => window.print()}>
                {t('print')}
              </Button>
            )
          }
        />
      </div>
      {!mayView ? (
        <ForbiddenState permission="detect.view" />
      ) : (
        <div className="mx-auto w-full max-w-[1160px] px-5 pb-6 max-lg:px-4">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-3 print:hidden">
            <TaskChoice label={t('before')} id={before} onChoose={(id) => address.setParams({ before: id })} />
            <IconButton
              icon={ArrowLeftRight}
              label={t('swap')}
              isDisabled={!before && !after}
              onPress={() => address.setParams({ before: after, after: before })}
            />
            <TaskChoice label={t('after')} id={after} onChoose={(id) => address.setParams({ after: id })} />
          </div>
          {!before || !after ? (
            <RecentPairs />
          ) : before === after ? (
            <EmptyState kind="missing" title={t('same')} />
          ) : answer.error ? (
            <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
          ) : answer.data ? (
            <CompareReport compared={answer.data} address={address} />
          ) : (
            <Skeleton lines={12} height="24px" className="border-t py-4" />
          )}
        </div>
      )}
    </div>
  )
}

function CompareReport({ compared, address }: { compared: Compared; address: Address }) {
  const t = useTexts(compareTexts)
  const d = useTexts(detectionTexts)
  const language = useLanguage()
  const { before, after, findings } = compared
  const words = (values: readonly (string | false | null)[]) =>
    values.filter(Boolean).join(language === 'zh' ? '，' : ', ')
  const same = (['permissions', 'sdks', 'domains', 'components', 'certificates', 'package'] as const)
    .filter((part) => {
      const changes = compared[part]
      return 'added' in changes
        ? changes.added.length + changes.removed.length + changes.changed.length === 0
        : changes.length === 0
    })
    .map((part) => t(part))
  return (
    <article aria-label={t('report')}>
      {!compared.same_package && <Notice>{t('otherPackage')}</Notice>}
      {!compared.same_rules && (
        <Notice>{t('otherRules', { before: before.rules.version, after: after.rules.version })}</Notice>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,0.8fr)] border-y max-lg:grid-cols-1">
        <Side one={before} label={t('before')} />
        <Side one={after} label={t('after')} before={before.score} />
        <section
          aria-label={t('findings')}
          className="border-l px-5 py-3 max-lg:border-t max-lg:border-l-0 max-lg:px-0"
        >
          <h2 className="pb-2 text-12 text-muted">{t('findings')}</h2>
          <ul className="grid grid-cols-3">
            {(['new', 'fixed', 'unchanged'] as const).map((key) => (
              <li key={key}>
                <span
                  className={`block text-28/9 tabular-nums ${key === 'new' && findings.new > 0 ? 'text-bad-text' : key === 'fixed' && findings.fixed > 0 ? 'text-good-text' : ''}`}
                  data-testid={`compare-${key}`}
                  data-value={findings[key]}
                >
                  {findings[key]}
                </span>
                <span className="text-12 text-muted">{t(key)}</span>
              </li>
            ))}
          </ul>
        </section>
      </div>
      <ItemChanges compared={compared} address={address} />
      <div className="grid grid-cols-2 gap-x-8 pt-3 max-lg:grid-cols-1">
        <PartChanges
          title={t('permissions')}
          changes={compared.permissions}
          nameOf={(row) => row.name}
          noteOf={(row) => words([d(row.state), row.dangerous && d('dangerous'), row.excessive && d('excessive')])}
        />
        <PartChanges
          title={t('sdks')}
          changes={compared.sdks}
          nameOf={(row) => row.name[language]}
          mono={false}
          noteOf={(row) => words([row.version, d(row.state)])}
        />
        <PartChanges
          title={t('domains')}
          changes={compared.domains}
          nameOf={(row) => row.host}
          noteOf={(row) =>
            words([
              row.owner === UNKNOWN_OWNER ? OWNER_KINDS.unknown[language] : row.owner,
              row.cleartext && t('cleartext'),
            ])
          }
        />
        <PartChanges
          title={t('components')}
          changes={compared.components}
          nameOf={(row) => row.name}
          noteOf={(row) => words([row.kind, row.exported && t('exported'), row.permission])}
        />
        <PartChanges
          title={t('certificates')}
          changes={compared.certificates}
          nameOf={(row) => row.subject}
          noteOf={(row) => `SHA-256 ${row.sha256.slice(0, 16)}…`}
        />
        {compared.package.length > 0 && (
          <section className="break-inside-avoid-page border-t py-3" aria-label={t('package')}>
            <h2 className="pb-1 text-14 font-semibold">{t('package')}</h2>
            <ul>
              {compared.package.map((one) => (
                <li key={one.field} className="flex flex-wrap gap-x-3 border-b py-1 text-12 last:border-b-0">
                  <span className="w-28 flex-none text-muted">
                    {PACKAGE_FIELDS[one.field]?.[language] ?? one.field}
                  </span>
                  <span className="min-w-0 flex-1 font-mono [overflow-wrap:anywhere]">
                    {one.before || '–'} → {one.after || '–'}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {same.length > 0 && (
        <p className="border-t py-3 text-12 text-muted">
          {t('noChangeIn', { names: same.join(language === 'zh' ? '、' : ', ') })}
        </p>
      )}
    </article>
  )
}

function Side({ one, label, before }: { one: Compared['before']; label: string; before?: number }) {
  const t = useTexts(compareTexts)
  const zone = usePlatform((state) => state.zone)
  return (
    <section
      aria-label={label}
      className="border-l px-5 py-3 first:border-l-0 first:pl-0 max-lg:border-t max-lg:border-l-0 max-lg:px-0"
    >
      <h2 className="text-12 text-muted">{label}</h2>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <Link to={taskPath(one.id)} className="text-16 font-semibold hover:text-brand-text hover:underline">
          {one.name} {one.version}
        </Link>
        <span className="font-mono text-12 text-muted">{one.package_id}</span>
      </p>
      <p className="flex items-baseline gap-3 pt-1">
        <span className="text-28/9 tabular-nums">{one.score}</span>
        {before !== undefined && <ScoreDelta now={one.score} before={before} />}
        <LevelCounts counts={one.counts} />
      </p>
      <p className="text-12 text-muted">
        {t('detected')} {formatDateTime(one.created_at, zone, 'minute')} · {formatBytes(one.size)}
      </p>
    </section>
  )
}

function Notice({ children }: { children: string }) {
  return <p className="mb-2 rounded bg-warn-soft px-3 py-1.5 text-12 text-warn-text">{children}</p>
}

import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router-dom'
import {
  CONCLUSIONS,
  type Conclusion,
  exportSelfCheck,
  type SelfCheckClause,
  selfCheck,
} from '#contracts/http/self-check/checks.ts'
import { PAGES } from '#contracts/pages.ts'
import { privacyPath } from '#src/features/detection/parts/task-path.ts'
import { call } from '#src/shared/api/call.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { ReportMenu } from '#src/shared/report/report-menu.tsx'
import { ExportListMenu } from '#src/shared/table/export-menu.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { ClauseDrawer } from './clause-drawer.tsx'
import { ClauseRow } from './clause-row.tsx'
import { PolicyLine } from './policy-line.tsx'
import { selfCheckTexts } from './self-check-texts.ts'

const ORDER = Object.keys(CONCLUSIONS) as Conclusion[]

/** The questionnaire of one application, by rule book: question, answer, what the package says, conclusion. */
export function ApplicationCheck({ appid }: { appid: string }) {
  const t = useTexts(selfCheckTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const { params, setParams } = useAddress()
  const answer = useEndpoint(selfCheck, { query: { appid } })
  const { data } = answer
  const show = ORDER.find((one) => one === params.get('show')) ?? ''
  const find = params.get('find') ?? ''
  const source = data?.sources.find(({ id }) => id === params.get('source'))?.id ?? ''
  const answeredOnly = params.get('answered') === '1'
  const answered = data?.data.filter((one) => one.answer).length ?? 0
  const found = data?.data.filter((one) => fits(one, show, source, find, answeredOnly)) ?? []
  const opened = data?.data.find(({ id }) => id === params.get('item'))
  const clear = () => setParams({ show: null, source: null, find: null, answered: null })
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={nameOf('app', appid)}
        note={
          data && (
            <span className="flex items-center gap-3">
              <span className="w-28">
                <ProgressBar value={answered / data.data.length} label={t('progress')} />
              </span>
              <span data-testid="answered" data-value={answered}>
                {t('answered', { answered, total: data.data.length })}
              </span>
            </span>
          )
        }
        actions={
          <>
            <Link
              to={PAGES.self_check.path}
              className="inline-flex h-control items-center gap-1.5 px-2 text-brand-text hover:underline"
            >
              <Icon of={ArrowLeft} size={16} />
              {t('back')}
            </Link>
            <ReportMenu of="self_check" subject={data ? { of: 'self_check', appid } : null} />
            <ExportListMenu
              named
              start={(file) => call(exportSelfCheck, { body: { appid, ...file } }, { quiet: true })}
              mayExport
              title={`${PAGES.self_check[language]} ${nameOf('app', appid)}`}
              total={data?.data.length ?? 0}
            />
          </>
        }
      />
      {answer.error && !data ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !data ? (
        <Skeleton lines={12} height="40px" className="px-5 py-3" />
      ) : (
        <>
          <p className="px-5 pb-2 text-12 text-muted max-lg:px-4">
            {data.basis ? (
              <>
                <Link to={privacyPath(data.basis.id)} className="text-brand-text underline">
                  {t('basisNote', { name: data.basis.name, version: data.basis.version })}
                </Link>{' '}
                <RelativeTime at={data.basis.at} />
              </>
            ) : (
              <>
                {t('noBasisNote')}{' '}
                <Link to={PAGES.detection_new.path} className="text-brand-text underline">
                  {t('detect')}
                </Link>
              </>
            )}
          </p>
          <PolicyLine appid={appid} />
          <div className="flex flex-wrap items-center gap-2 px-5 pb-3 max-lg:px-4">
            <SearchBox label={t('find')} value={find} onSearch={(next) => setParams({ find: next || null }, true)} />
            <span className="max-w-full overflow-x-auto">
              <SegmentedControl
                size="small"
                label={t('conclusions')}
                value={show}
                onChange={(next) => setParams({ show: next || null })}
                items={[
                  { id: '' as const, label: t('all'), note: data.data.length },
                  ...ORDER.map((id) => ({ id, label: CONCLUSIONS[id][language], note: data.counts[id] ?? 0 })),
                ]}
              />
            </span>
            <Select
              size="small"
              label={t('source')}
              hideLabel
              value={source}
              onChange={(next) => setParams({ source: next || null })}
              items={[
                { id: '', label: t('anySource') },
                ...data.sources
                  .filter(({ id }) => data.data.some((one) => one.source === id))
                  .map(({ id, title }) => ({ id, label: title[language] })),
              ]}
              className="w-40"
            />
            <Checkbox isSelected={answeredOnly} onChange={(only) => setParams({ answered: only ? '1' : null })}>
              {t('answeredOnly')}
            </Checkbox>
            {(show || source || find || answeredOnly) && (
              <Button size="small" variant="quiet" onPress={clear}>
                {t('clear')}
              </Button>
            )}
          </div>
          {found.length === 0 ? (
            <EmptyState kind="filtered" title={t('filtered')} action={<Button onPress={clear}>{t('clear')}</Button>} />
          ) : (
            data.sources.map(({ id, title }) => {
              const clauses = found.filter((one) => one.source === id)
              if (clauses.length === 0) return null
              return (
                <section key={id} aria-label={title[language]} className="border-t">
                  <h2 className="bg-canvas px-5 py-2 font-semibold max-lg:px-4">
                    {title[language]} <span className="text-12 font-normal text-muted">{clauses.length}</span>
                  </h2>
                  <ul>
                    {clauses.map((clause) => (
                      <ClauseRow
                        key={clause.id}
                        appid={appid}
                        clause={clause}
                        isOpen={clause.id === opened?.id}
                        onOpen={() => setParams({ item: clause.id })}
                      />
                    ))}
                  </ul>
                </section>
              )
            })
          )}
        </>
      )}
      {opened && (
        <ClauseDrawer
          key={opened.id}
          appid={appid}
          clause={opened}
          task={data?.basis?.id ?? null}
          onClose={() => setParams({ item: null })}
        />
      )}
    </div>
  )
}

function fits(one: SelfCheckClause, show: Conclusion | '', source: string, find: string, answered: boolean): boolean {
  if (answered && !one.answer) return false
  if ((show && one.conclusion !== show) || (source && one.source !== source)) return false
  const text = [one.clause, one.name.zh, one.name.en, one.question.zh, one.question.en, one.answer?.note ?? ''].join(
    '\n',
  )
  return text.toLowerCase().includes(find.toLowerCase())
}

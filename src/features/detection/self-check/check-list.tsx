import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { selfChecks } from '#contracts/http/self-check/checks.ts'
import { PAGES } from '#contracts/pages.ts'
import { privacyPath } from '#src/features/detection/parts/task-path.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { CentredPage } from '#src/shared/ui/centred-page.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { selfCheckTexts } from './self-check-texts.ts'

type Row = ResponseOf<typeof selfChecks>['data'][number]
const checkPath = (appid: string) => `${PAGES.self_check.path}?app=${appid}`

/** Applications (or the current one) with the progress of their self-check and the newest detection beside it. */
export function CheckList() {
  const t = useTexts(selfCheckTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const current = useCurrentApplication()
  const answer = useEndpoint(selfChecks)
  const rows = answer.data?.data.filter(({ appid }) => !current || appid === current.id)
  const columns = useMemo(
    (): Column<Row>[] => [
      {
        id: 'app',
        header: t('app'),
        cell: (row) => (
          <Link
            to={checkPath(row.appid)}
            className="text-clip-line block max-w-80 font-semibold text-brand-text hover:underline max-sm:max-w-36"
          >
            {row.name}
          </Link>
        ),
      },
      {
        id: 'progress',
        header: t('progress'),
        width: '200px',
        cell: (row) => (
          <span className="flex items-center gap-3">
            <span className="w-28">
              <ProgressBar value={row.answered / row.questions} label={row.name} />
            </span>
            <span className="text-12 text-muted tabular-nums">
              {row.answered} / {row.questions}
            </span>
          </span>
        ),
      },
      {
        id: 'violating',
        header: t('violating'),
        width: '140px',
        wide: true,
        numeric: true,
        cell: (row) =>
          row.violating > 0 ? (
            <Link
              to={`${checkPath(row.appid)}&show=violate&answered=1`}
              className="font-semibold text-bad-text hover:underline"
            >
              {row.violating}
            </Link>
          ) : (
            <span className="text-muted">0</span>
          ),
      },
      {
        id: 'basis',
        header: t('basis'),
        width: '260px',
        wide: true,
        cell: (row) =>
          row.basis ? (
            <Link to={privacyPath(row.basis.id)} className="text-brand-text hover:underline">
              {row.basis.name} {row.basis.version}
            </Link>
          ) : (
            <span className="text-muted">{t('noBasis')}</span>
          ),
      },
      {
        id: 'last',
        header: t('last'),
        width: '240px',
        wide: true,
        cell: (row) =>
          row.last_at === null ? (
            <span className="text-muted">{t('never')}</span>
          ) : (
            <span className="text-12 text-muted">
              <RelativeTime at={row.last_at} /> {row.last_by}
            </span>
          ),
      },
    ],
    [t],
  )
  return (
    <CentredPage>
      <PageTitle title={PAGES.self_check[language]} note={rows && t('listNote', { count: rows.length })} />
      {answer.error && !rows ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !rows ? (
        <Skeleton lines={8} height="32px" className="px-5 py-3" />
      ) : (
        <DataTable
          label={t('list')}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.appid}
          onOpen={(row) => void navigate(checkPath(row.appid))}
          empty={<EmptyState kind="none" title={t('none')} hint={t('noneHint')} />}
        />
      )}
    </CentredPage>
  )
}

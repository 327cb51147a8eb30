import { useMemo } from 'react'
import type { Language } from '#contracts/errors.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { LINE_OUTCOMES, type OptionResult, reinforceLines } from '#contracts/http/reinforce-tasks.ts'
import { REINFORCE_OPTIONS } from '#domain/reinforce-options.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { type Translate, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { PagedTable } from '#src/shared/table/paged-table.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { resultTexts } from './result-texts.ts'

const PAGE_SIZE = 20
type Line = ResponseOf<typeof reinforceLines>['data'][number]
const OUTCOME_COLORS = { applied: 'text-good-text', skipped: 'text-warn-text', absent: 'text-muted' } as const

/** What one option did and left alone: sums first, then each file and class, with search and pages in the address. */
export function OptionLines({ task, result }: { task: string; result: OptionResult }) {
  const t = useTexts(resultTexts)
  const language = useLanguage()
  const { params, setParams } = useAddress()
  const find = (params.get('find') ?? '').slice(0, 200)
  const page = Math.max(1, Number(params.get('page')) || 1)
  const answer = useEndpoint(
    reinforceLines,
    {
      query: { id: task, option: result.option, search: find, offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE },
    },
    { placeholderData: (before) => before, staleTime: Number.POSITIVE_INFINITY },
  )
  const columns = useMemo(() => lineColumns(t, language), [t, language])
  return (
    <div className="border-t bg-canvas pb-2 pl-8 max-md:pl-0">
      <p className="px-5 pt-2 text-12 text-muted max-lg:px-4">
        {t('limit', { limit: REINFORCE_OPTIONS[result.option].limit[language] })}
      </p>
      {result.sums.length > 0 && (
        <ul aria-label={t('sums')} className="flex flex-col gap-1 px-5 py-2 max-lg:px-4">
          {result.sums.map(({ outcome, text, count, places }) => (
            <li key={`${outcome} ${text}`} className="flex items-baseline gap-x-3">
              <span className={`min-w-16 flex-none text-12 max-sm:min-w-10 ${OUTCOME_COLORS[outcome]}`}>
                {LINE_OUTCOMES[outcome][language]}
              </span>
              <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
                <span className="min-w-0">{text}</span>
                <span className="font-semibold tabular-nums">{formatExact(count)}</span>
                {places > 0 && <span className="text-12 text-muted">{t('places', { count: places })}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="mx-5 overflow-hidden rounded border bg-surface max-lg:mx-4">
        <div className="flex items-center gap-3 border-b px-3 py-1.5">
          <h3 className="font-semibold whitespace-nowrap">{t('lines')}</h3>
          {answer.data && <span className="text-12 text-muted">{formatExact(answer.data.total)}</span>}
          <span className="ml-auto">
            <SearchBox
              label={t('findLine')}
              className="w-56 max-sm:w-40"
              value={find}
              onSearch={(words) => setParams({ find: words || null, page: null }, true)}
            />
          </span>
        </div>
        <PagedTable
          label={t('lines')}
          answer={answer}
          columns={columns}
          // Lines have no key of their own, and two may be equal.
          rowKey={(line) => String(answer.data?.data.indexOf(line))}
          density="dense"
          page={page}
          pageSize={PAGE_SIZE}
          onPage={(next) => setParams({ page: next > 1 ? String(next) : null }, true)}
          filtered={
            find !== '' && {
              title: t('noLineMatches'),
              clear: t('all'),
              onClear: () => setParams({ find: null }, true),
            }
          }
          none={<EmptyState kind="none" title={t('noLines')} />}
          note={t('linesNote')}
        />
      </div>
    </div>
  )
}

function lineColumns(t: Translate<keyof typeof resultTexts.entries & string>, language: Language): Column<Line>[] {
  return [
    {
      id: 'outcome',
      header: t('outcome'),
      width: '84px',
      cell: ({ outcome }) => <span className={OUTCOME_COLORS[outcome]}>{LINE_OUTCOMES[outcome][language]}</span>,
    },
    {
      id: 'file',
      header: t('file'),
      width: '220px',
      wide: true,
      cell: ({ file }) =>
        file ? (
          <code className="text-clip-line block max-w-56 text-12" title={file}>
            {file}
          </code>
        ) : (
          <span className="text-muted">{t('wholePackage')}</span>
        ),
    },
    {
      id: 'place',
      header: t('place'),
      cell: ({ place, file }) => (
        <code
          className="text-clip-line block max-w-40 text-12 sm:max-w-72 xl:max-w-md 2xl:max-w-2xl"
          title={`${file} ${place}`.trim()}
        >
          {place || '—'}
        </code>
      ),
    },
    {
      id: 'what',
      header: t('what'),
      wide: true,
      cell: ({ text }) => (
        <span className="text-clip-line block max-w-72 2xl:max-w-xl" title={text}>
          {text}
        </span>
      ),
    },
    {
      id: 'count',
      header: t('countHead'),
      width: '72px',
      numeric: true,
      cell: ({ count }) => <span className="tabular-nums">{formatExact(count)}</span>,
    },
  ]
}

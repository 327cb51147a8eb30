import { useMemo } from 'react'
import { Link } from 'react-router-dom'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { ENTRY_ORIGINS, taskVulnerabilities } from '#contracts/http/vulnerabilities.ts'
import { PAGES } from '#contracts/pages.ts'
import { PartTable, partQuery } from '#src/features/detection/parts/part-table.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { VulnerabilityLevelMark } from '#src/shared/ui/vulnerability-level.tsx'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'

type Row = ResponseOf<typeof taskVulnerabilities>['data'][number]

/** Entries of the vulnerability library that name a component of the package, as the library is now. */
export function VulnerabilitiesTab({ answer, address }: PartProps) {
  const t = useTexts(reportTexts)
  const language = useLanguage()
  const show = address.params.get('show') === 'yes' ? 'yes' : ''
  const result = useEndpoint(
    taskVulnerabilities,
    { query: { ...partQuery(answer.data.id, address.params), certainty: show === 'yes' ? 'affected' : '' } },
    { placeholderData: (before) => before },
  )
  const columns = useMemo(
    (): Column<Row>[] => [
      { id: 'level', header: t('level'), width: '110px', cell: (row) => <VulnerabilityLevelMark level={row.level} /> },
      {
        id: 'number',
        header: t('vulnerability'),
        cell: (row) => (
          <span className="flex flex-col py-1 whitespace-normal">
            <Link
              to={`${PAGES.vulnerabilities.path}?open=${encodeURIComponent(row.number)}`}
              className="text-brand-text hover:underline"
            >
              <span className="font-mono text-12">{row.number}</span> {row.name[language]}
            </Link>
            <span className="flex flex-wrap gap-x-2 text-12 text-muted">
              {ENTRY_ORIGINS[row.origin][language]}
              {row.cvss !== null && <span>CVSS {row.cvss.toFixed(1)}</span>}
              {row.known_exploited && <span className="text-bad-text">{t('exploited')}</span>}
            </span>
            <span className="text-12/4 text-muted sm:hidden">
              <span className="font-mono [overflow-wrap:anywhere]">
                {row.component} {row.component_version}
              </span>{' '}
              {t(row.certainty === 'affected' ? 'certain' : 'versionUnknown')}
            </span>
          </span>
        ),
      },
      {
        id: 'component',
        header: t('dependency'),
        width: '300px',
        wide: true,
        cell: (row) => (
          <span className="block max-w-72 py-1 font-mono text-12/4 whitespace-normal [overflow-wrap:anywhere]">
            {row.component} {row.component_version}
          </span>
        ),
      },
      { id: 'fixed', header: t('fixedIn'), width: '160px', wide: true, cell: (row) => row.fixed_in[language] || '–' },
      {
        id: 'certainty',
        header: t('state'),
        width: '150px',
        wide: true,
        cell: (row) => (
          <Chip tone={row.certainty === 'affected' ? 'bad' : 'neutral'}>
            {t(row.certainty === 'affected' ? 'certain' : 'versionUnknown')}
          </Chip>
        ),
      },
    ],
    [t, language],
  )
  if (result.data?.compared === false)
    return <EmptyState kind="none" title={t('notCompared')} hint={t('notComparedHint')} />
  return (
    <PartTable
      label={t('vulnerabilities')}
      columns={columns}
      answer={result}
      rowKey={(row) => `${row.number} ${row.component} ${row.component_version}`}
      address={address}
      show={show}
      shows={[
        { id: '', label: t('all') },
        { id: 'yes', label: t('certain') },
      ]}
      note={t('comparedNote')}
    />
  )
}

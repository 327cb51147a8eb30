import { useMemo } from 'react'
import { resultComponents } from '#contracts/http/detection/result.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { detectionTexts } from '#src/features/detection/parts/detection-texts.ts'
import { PartTable, partQuery } from '#src/features/detection/parts/part-table.tsx'
import { useOwnerName } from '#src/features/detection/parts/use-owner-name.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'

type Component = ResponseOf<typeof resultComponents>['data'][number]

/** Components of the manifest: which others may reach, and what guards them. */
export function ComponentsTab({ answer, address }: PartProps) {
  const t = useTexts(reportTexts)
  const d = useTexts(detectionTexts)
  const ownerName = useOwnerName(answer.data.id)
  const asked = address.params.get('show')
  const show = asked === 'yes' || asked === 'no' ? asked : ''
  const result = useEndpoint(
    resultComponents,
    { query: { ...partQuery(answer.data.id, address.params), exported: show } },
    { placeholderData: (before) => before },
  )
  const columns = useMemo(
    (): Column<Component>[] => [
      { id: 'kind', header: t('componentKind'), width: '110px', wide: true, cell: (row) => row.kind },
      {
        id: 'name',
        header: t('component'),
        cell: (row) => (
          <span className="flex flex-col py-1 whitespace-normal">
            <span className="font-mono text-12 [overflow-wrap:anywhere]">{row.name}</span>
            <span className="text-12 text-muted sm:hidden">{row.kind}</span>
          </span>
        ),
      },
      {
        id: 'exported',
        header: t('state'),
        width: '90px',
        cell: (row) =>
          row.exported ? (
            <Chip tone={row.permission === null ? 'warn' : 'neutral'}>{d('exported')}</Chip>
          ) : (
            <span className="text-12 text-muted">{d('notExported')}</span>
          ),
      },
      {
        id: 'guard',
        header: t('guard'),
        width: '240px',
        wide: true,
        cell: (row) =>
          row.permission === null ? (
            <span className="text-muted">{t('unguarded')}</span>
          ) : (
            <span className="text-clip-line block max-w-60 font-mono text-12" title={row.permission}>
              {row.permission}
            </span>
          ),
      },
      { id: 'owner', header: t('owner'), width: '150px', wide: true, cell: (row) => ownerName(row.owner) },
    ],
    [t, d, ownerName],
  )
  return (
    <PartTable
      label={t('components')}
      columns={columns}
      answer={result}
      rowKey={(row) => `${row.kind} ${row.name}`}
      address={address}
      show={show}
      shows={[
        { id: '', label: t('all') },
        { id: 'yes', label: d('exported') },
        { id: 'no', label: d('notExported') },
      ]}
    />
  )
}

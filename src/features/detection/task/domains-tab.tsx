import { useMemo } from 'react'
import { resultDomains } from '#contracts/http/detection/result.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { detectionTexts } from '#src/features/detection/parts/detection-texts.ts'
import { LocationLine, LocationView } from '#src/features/detection/parts/location-view.tsx'
import { PartTable, partQuery } from '#src/features/detection/parts/part-table.tsx'
import { useOwnerName } from '#src/features/detection/parts/use-owner-name.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'

type Domain = ResponseOf<typeof resultDomains>['data'][number]

/** Hosts that the package names, and which of them are spoken to in the clear. */
export function DomainsTab({ answer, address }: PartProps) {
  const t = useTexts(reportTexts)
  const d = useTexts(detectionTexts)
  const ownerName = useOwnerName(answer.data.id)
  const show = address.params.get('show') === 'yes' ? 'yes' : ''
  const result = useEndpoint(
    resultDomains,
    { query: { ...partQuery(answer.data.id, address.params), cleartext: show } },
    { placeholderData: (before) => before },
  )
  const columns = useMemo(
    (): Column<Domain>[] => [
      { id: 'host', header: t('host'), cell: (row) => <span className="font-mono text-12">{row.host}</span> },
      {
        id: 'cleartext',
        header: t('transport'),
        width: '90px',
        cell: (row) =>
          row.cleartext ? <Chip tone="warn">{d('cleartext')}</Chip> : <span className="text-muted">–</span>,
      },
      { id: 'owner', header: t('owner'), width: '160px', wide: true, cell: (row) => ownerName(row.owner) },
      {
        id: 'where',
        header: t('where'),
        width: '520px',
        wide: true,
        cell: (row) => (
          <span className="text-clip-line block max-w-[520px]">
            <LocationLine location={row.place} />
          </span>
        ),
      },
    ],
    [t, d, ownerName],
  )
  return (
    <PartTable
      label={t('domains')}
      columns={columns}
      answer={result}
      rowKey={(row) => `${row.host} ${row.owner ?? ''} ${row.cleartext}`}
      address={address}
      show={show}
      shows={[
        { id: '', label: t('all') },
        { id: 'yes', label: d('cleartext') },
      ]}
      titleOf={(row) => row.host}
      detail={(row) => <LocationView location={row.place} />}
    />
  )
}

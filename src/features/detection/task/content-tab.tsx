import { useMemo } from 'react'
import { scanWord, WORD_FORMS } from '#contracts/detection/scan-words.ts'
import { resultContent } from '#contracts/http/detection/result.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { LocationLine, LocationView } from '#src/features/detection/parts/location-view.tsx'
import { PartTable, partQuery } from '#src/features/detection/parts/part-table.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'

type Hit = ResponseOf<typeof resultContent>['data'][number]
const key = (row: Hit) => `${row.kind} ${row.value} ${row.place.entry} ${row.place.offset} ${row.place.path ?? ''}`

/** Sensitive words, codes and pictures, with the form in which a word matched. */
export function ContentTab({ answer, address }: PartProps) {
  const t = useTexts(reportTexts)
  const language = useLanguage()
  const result = useEndpoint(
    resultContent,
    { query: partQuery(answer.data.id, address.params) },
    { placeholderData: (before) => before },
  )
  const columns = useMemo(
    (): Column<Hit>[] => [
      { id: 'kind', header: t('componentKind'), width: '110px', cell: (row) => t(row.kind) },
      {
        id: 'value',
        header: t('value'),
        cell: (row) => <span className="whitespace-normal [overflow-wrap:anywhere]">{row.value}</span>,
      },
      { id: 'group', header: t('wordGroup'), width: '140px', cell: (row) => row.group },
      { id: 'form', header: t('form'), width: '120px', cell: (row) => scanWord(WORD_FORMS, row.form, language) },
      {
        id: 'where',
        header: t('where'),
        width: '360px',
        cell: (row) => (
          <span className="text-clip-line block max-w-[360px]">
            <LocationLine location={row.place} />
          </span>
        ),
      },
    ],
    [t, language],
  )
  return (
    <PartTable
      label={t('content')}
      columns={columns}
      answer={result}
      rowKey={key}
      address={address}
      titleOf={(row) => row.value}
      detail={(row) => <LocationView location={row.place} />}
    />
  )
}

import { useMemo } from 'react'
import { SDK_CATEGORIES, scanWord } from '#contracts/detection/scan-words.ts'
import { resultSdks } from '#contracts/http/detection/result.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { detectionTexts } from '#src/features/detection/parts/detection-texts.ts'
import { LocationView } from '#src/features/detection/parts/location-view.tsx'
import { PartTable, partQuery } from '#src/features/detection/parts/part-table.tsx'
import { personalInfo } from '#src/features/detection/parts/personal-info.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'

type Sdk = ResponseOf<typeof resultSdks>['data'][number]

/** Third-party SDKs: which are reached by code, which only lie in the package, and on what evidence. */
export function SdksTab({ answer, address }: PartProps) {
  const t = useTexts(reportTexts)
  const d = useTexts(detectionTexts)
  const language = useLanguage()
  const result = useEndpoint(
    resultSdks,
    { query: partQuery(answer.data.id, address.params) },
    { placeholderData: (before) => before },
  )
  const columns = useMemo(
    (): Column<Sdk>[] => [
      { id: 'name', header: t('name'), cell: (row) => <span className="font-semibold">{row.name[language]}</span> },
      { id: 'vendor', wide: true, header: t('vendor'), width: '180px', cell: (row) => row.vendor },
      {
        id: 'category',
        wide: true,
        header: t('sdkCategory'),
        width: '130px',
        cell: (row) => scanWord(SDK_CATEGORIES, row.category, language),
      },
      { id: 'country', wide: true, header: t('country'), width: '64px', cell: (row) => row.country },
      {
        id: 'version',
        wide: true,
        header: t('version'),
        width: '96px',
        cell: (row) => row.version ?? <span className="text-muted">–</span>,
      },
      {
        id: 'state',
        header: t('state'),
        width: '100px',
        cell: (row) => <Chip tone={row.state === 'called' ? 'brand' : 'neutral'}>{d(row.state)}</Chip>,
      },
      {
        id: 'info',
        header: t('personalInfo'),
        width: '190px',
        cell: (row) => (
          <span className="text-clip-line block max-w-48">{personalInfo(row.personalInfo, language)}</span>
        ),
      },
    ],
    [t, d, language],
  )
  return (
    <PartTable
      label={t('sdks')}
      columns={columns}
      answer={result}
      rowKey={(row) => row.id}
      address={address}
      titleOf={(row) => row.name[language]}
      detail={(row) => <Detail row={row} />}
    />
  )
}

function Detail({ row }: { row: Sdk }) {
  const t = useTexts(reportTexts)
  const d = useTexts(detectionTexts)
  const language = useLanguage()
  const list = (values: readonly string[]) => values.join(language === 'zh' ? '、' : ', ') || '–'
  return (
    <>
      <dl className="grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-2">
        <Fact name={t('vendor')}>{row.vendor || '–'}</Fact>
        <Fact name={t('sdkCategory')}>{scanWord(SDK_CATEGORIES, row.category, language)}</Fact>
        <Fact name={t('state')}>{d(row.state)}</Fact>
        <Fact name={t('confidence')}>{d(row.confidence)}</Fact>
        <Fact name={t('personalInfo')}>{personalInfo(row.personalInfo, language) || '–'}</Fact>
        <Fact name={t('permissions')}>
          <span className="font-mono text-12">{list(row.permissions)}</span>
        </Fact>
      </dl>
      <h3 className="pt-4 pb-2 text-12 font-semibold">{t('where')}</h3>
      <div className="flex flex-col gap-2">
        {row.evidence.map((location, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: locations have an order and nothing else
          <LocationView key={index} location={location} />
        ))}
      </div>
    </>
  )
}

import { useMemo } from 'react'
import { PERMISSION_GROUPS, scanWord } from '#contracts/detection/scan-words.ts'
import { resultPermissions } from '#contracts/http/detection/result.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { detectionTexts } from '#src/features/detection/parts/detection-texts.ts'
import { LocationView } from '#src/features/detection/parts/location-view.tsx'
import { PartTable, partQuery } from '#src/features/detection/parts/part-table.tsx'
import { personalInfo } from '#src/features/detection/parts/personal-info.ts'
import { useOwnerName } from '#src/features/detection/parts/use-owner-name.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'

type Permission = ResponseOf<typeof resultPermissions>['data'][number]
const STATES = ['used', 'unused', 'undeclared', 'unknown', 'excessive'] as const
const TONES = { used: 'good', unused: 'warn', undeclared: 'bad', unknown: 'neutral' } as const

/** Declared and called, declared only, called only, beyond what the application type may ask for. */
export function PermissionsTab({ answer, address }: PartProps) {
  const t = useTexts(reportTexts)
  const d = useTexts(detectionTexts)
  const language = useLanguage()
  const show = STATES.find((one) => one === address.params.get('show')) ?? ''
  const result = useEndpoint(
    resultPermissions,
    { query: { ...partQuery(answer.data.id, address.params), state: show } },
    { placeholderData: (before) => before },
  )
  const states = result.data?.states
  const columns = useMemo(
    (): Column<Permission>[] => [
      {
        id: 'name',
        header: t('permission'),
        cell: (row) => (
          <span className="flex flex-col py-1 whitespace-normal max-sm:max-w-52">
            {row.title[language] !== row.name && <span>{row.title[language]}</span>}
            <span className="font-mono text-12 text-muted [overflow-wrap:anywhere]">{row.name}</span>
          </span>
        ),
      },
      {
        id: 'group',
        header: t('permissionGroup'),
        width: '120px',
        wide: true,
        cell: (row) => scanWord(PERMISSION_GROUPS, row.group, language),
      },
      {
        id: 'state',
        header: t('state'),
        width: '120px',
        cell: (row) => (
          <span className="flex flex-wrap gap-1 sm:w-52">
            <Chip tone={TONES[row.state]}>{d(row.state)}</Chip>
            {row.dangerous && <Chip tone="neutral">{d('dangerous')}</Chip>}
            {row.excessive && <Chip tone="bad">{d('excessive')}</Chip>}
          </span>
        ),
      },
      {
        id: 'info',
        header: t('personalInfo'),
        width: '200px',
        wide: true,
        cell: (row) => (
          <span className="text-clip-line block max-w-52">{personalInfo(row.personalInfo, language)}</span>
        ),
      },
      { id: 'uses', header: t('uses'), numeric: true, width: '64px', wide: true, cell: (row) => row.uses.length },
    ],
    [t, d, language],
  )
  return (
    <PartTable
      label={t('permissions')}
      columns={columns}
      answer={result}
      rowKey={(row) => row.name}
      address={address}
      show={show}
      shows={[{ id: '', label: t('all') }, ...STATES.map((id) => ({ id, label: d(id), note: states?.[id] ?? 0 }))]}
      titleOf={(row) => row.title[language] || row.name}
      detail={(row) => <Detail row={row} task={answer.data.id} />}
    />
  )
}

function Detail({ row, task }: { row: Permission; task: string }) {
  const t = useTexts(reportTexts)
  const ownerName = useOwnerName(task)
  return (
    <div className="flex flex-col gap-3">
      <p className="font-mono text-12 [overflow-wrap:anywhere]">{row.name}</p>
      {row.excessive && <p className="text-bad-text">{t('excessiveNote')}</p>}
      {row.uses.length === 0 && <p className="text-muted">{t(row.state === 'unknown' ? 'noKnownApi' : 'noUses')}</p>}
      {row.uses.length > 0 && <h3 className="text-12 font-semibold">{t('usesOf')}</h3>}
      {row.uses.map(({ owner, place: location }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls have an order and nothing else
        <div key={index}>
          <span className="text-12 text-muted">{ownerName(owner)}</span>
          <LocationView location={location} />
        </div>
      ))}
    </div>
  )
}

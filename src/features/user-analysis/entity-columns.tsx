import type { EntityRow } from '#contracts/query.ts'
import { LEVELS, type Level, PLATFORMS, type Platform, RISK_TYPES, type RiskType } from '#contracts/vocabulary.ts'
import type { Language, Translate } from '#src/shared/i18n/texts.ts'
import { type NameOf, placeText, shortHash } from '#src/shared/query/value-names.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import type { analysisTexts } from './analysis-texts.ts'

type Words = Translate<keyof (typeof analysisTexts)['entries'] & string>
export type Entity = 'user' | 'device'

/** Columns of the list of users or devices; `wide` adds what only the full page has room for. */
export function entityColumns(
  entity: Entity,
  { t, nameOf, language, wide }: { t: Words; nameOf: NameOf; language: Language; wide: boolean },
): Column<EntityRow>[] {
  const word = (words: { zh: string; en: string } | undefined, key: string) => words?.[language] ?? key
  const columns: Column<EntityRow>[] = [
    {
      id: entity,
      header: t(entity),
      fixed: true,
      cell: (row) => (
        <code className="text-12" title={row.key}>
          {shortHash(entity, row.key)}
        </code>
      ),
    },
    {
      id: 'level',
      header: t('level'),
      cell: (row) => (row.level in LEVELS ? <LevelMark level={row.level as Level} /> : '–'),
    },
    {
      id: 'risk',
      header: t('risk'),
      cell: (row) => (row.risk ? word(RISK_TYPES[row.risk as RiskType], row.risk) : '–'),
    },
    {
      id: 'attacks',
      header: t('attacksColumn'),
      numeric: true,
      sort: 'attacks',
      cell: (row) => <Num value={row.attacks} />,
    },
  ]
  if (entity === 'device')
    columns.push({
      id: 'events',
      header: t('events'),
      numeric: true,
      sort: 'events',
      cell: (row) => <Num value={row.events} />,
    })
  columns.push({
    id: 'counterparts',
    header: t(entity === 'user' ? 'devicesColumn' : 'usersColumn'),
    numeric: true,
    cell: (row) => <Num value={row.counterparts} />,
  })
  if (wide || entity === 'device')
    columns.push({ id: 'model', header: t('modelColumn'), cell: (row) => row.model || '–' })
  if (wide) {
    columns.push(
      { id: 'platform', header: t('platform'), cell: (row) => word(PLATFORMS[row.platform as Platform], row.platform) },
      { id: 'app', header: t('app'), cell: (row) => nameOf('app', row.app) },
      { id: 'version', header: t('versionColumn'), cell: (row) => row.version || '–' },
    )
  }
  columns.push({ id: 'place', header: t('place'), cell: (row) => placeText(row, nameOf, language) })
  if (wide)
    columns.push({ id: 'first', header: t('first'), numeric: true, cell: (row) => <RelativeTime at={row.firstAt} /> })
  columns.push({
    id: 'last',
    header: t(entity === 'user' ? 'lastAttack' : 'last'),
    numeric: true,
    sort: 'last',
    fixed: true,
    cell: (row) => <RelativeTime at={row.lastAt} />,
  })
  return columns
}

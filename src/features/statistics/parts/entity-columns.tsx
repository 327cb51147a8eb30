import { Link } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import type { DeviceVerdict } from '#domain/device-score.ts'
import type { EntityRow, Query } from '#domain/query.ts'
import { LEVELS, type Level, PLATFORMS, type Platform, RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { DeviceVerdictChip } from '#src/shared/devices/device-verdict-words.tsx'
import type { Language, Translate } from '#src/shared/i18n/texts.ts'
import { narrowed } from '#src/shared/query/drill.ts'
import { carryQuery } from '#src/shared/query/query-url.ts'
import { type NameOf, placeText, shortHash } from '#src/shared/query/value-names.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import type { analysisTexts } from './analysis-texts.ts'
import type { Entity } from './entity-lists.ts'

type Words = Translate<keyof (typeof analysisTexts)['entries'] & string>

/** Columns of the list of users or devices; `wide` adds what only the full page has room for. */
export function entityColumns(
  entity: Entity,
  {
    t,
    nameOf,
    language,
    wide,
    kinds,
    attacksOnly,
    failures,
    query,
    verdicts,
  }: {
    t: Words
    nameOf: NameOf
    language: Language
    wide: boolean
    /** One column a kind of trouble: crash, ANR, exception. */
    kinds: boolean
    /** Whether the last column says attack, which is all that the list is of. */
    attacksOnly: boolean
    /** Whether it is of crashes, ANRs and exceptions alone: nothing of attacks. */
    failures: boolean
    /** Goes along to the device's page or the user's trace. */
    query: Query
    /** What analysts decided about the devices of this page. */
    verdicts: ReadonlyMap<string, DeviceVerdict>
  },
): Column<EntityRow>[] {
  const word = (words: { zh: string; en: string } | undefined, key: string) => words?.[language] ?? key
  const columns: Column<EntityRow>[] = [
    {
      id: entity,
      header: t(entity),
      fixed: true,
      cell: (row) => (
        <Link
          to={storyPath(entity, row.key, query, failures ? 'exception_device' : 'device_activity')}
          className="text-brand-text hover:underline"
          title={row.key}
        >
          <code className="text-12">{shortHash(entity, row.key)}</code>
        </Link>
      ),
    },
    ...(failures ? [] : attackColumns(t, word, kinds)),
  ]
  if (kinds)
    for (const kind of ['crashes', 'anrs', 'exceptions'] as const)
      columns.push({
        id: kind,
        header: t(`${kind}Column`),
        numeric: true,
        wide: true,
        sort: kind,
        cell: (row) => <Num value={row[kind]} />,
      })
  if (!attacksOnly)
    columns.push({
      id: 'events',
      header: t('events'),
      numeric: true,
      wide: !kinds,
      sort: 'events',
      cell: (row) => <Num value={row.events} />,
    })
  columns.push({
    id: 'counterparts',
    header: t(entity === 'user' ? 'devicesColumn' : 'usersColumn'),
    numeric: true,
    wide: true,
    spare: kinds,
    cell: (row) => <Num value={row.counterparts} />,
  })
  if (wide || entity === 'device')
    columns.push({ id: 'model', header: t('modelColumn'), wide: true, cell: (row) => row.model || '–' })
  if (wide) {
    columns.push(
      // A device's model says as much.
      ...(entity === 'device'
        ? []
        : [
            {
              id: 'platform',
              header: t('platform'),
              wide: true,
              cell: (row: EntityRow) => word(PLATFORMS[row.platform as Platform], row.platform),
            },
          ]),
      { id: 'app', header: t('app'), wide: true, spare: kinds, cell: (row) => nameOf('app', row.app) },
      { id: 'version', header: t('versionColumn'), wide: true, spare: kinds, cell: (row) => row.version || '–' },
    )
  }
  if (entity === 'device')
    columns.push({
      id: 'verdict',
      header: t('verdict'),
      wide: true,
      cell: (row) => {
        const verdict = verdicts.get(row.key)
        return verdict ? <DeviceVerdictChip verdict={verdict} /> : <span className="text-muted">–</span>
      },
    })
  columns.push({
    id: 'place',
    header: t('place'),
    wide: true,
    cell: (row) => <ClippedText value={placeText(row, nameOf, language)} />,
  })
  if (wide)
    columns.push({
      id: 'first',
      header: t('first'),
      numeric: true,
      wide: true,
      spare: kinds,
      cell: (row) => <RelativeTime at={row.firstAt} />,
    })
  if (kinds && !failures)
    columns.push({
      id: 'periods',
      header: t('periods'),
      wide: true,
      cell: (row) => (
        <Link
          to={`${PAGES.abnormal_periods.path}?${carryQuery(narrowed(query, [{ field: 'device', op: 'is', values: [row.key] }]))}`}
          className="text-brand-text hover:underline"
        >
          {t('openPeriods')}
        </Link>
      ),
    })
  columns.push({
    id: 'last',
    header: t(attacksOnly ? 'lastAttack' : 'last'),
    numeric: true,
    sort: 'last',
    fixed: true,
    cell: (row) => <RelativeTime at={row.lastAt} />,
  })
  return columns
}

/** A device has its page, a user a trace. */
export function storyPath(
  entity: Entity,
  key: string,
  query: Query,
  page: 'device_activity' | 'exception_device' = 'device_activity',
): string {
  if (entity === 'device') return `${PAGES[page].path.replace(':id', key)}?${carryQuery(query)}`
  return `${PAGES.investigation.path}?subject=user:${key}&${carryQuery(query)}`
}

/** Places are as long as a city and its province are named. */
function ClippedText({ value }: { value: string }) {
  return (
    <span className="text-clip-line block max-w-44" title={value}>
      {value}
    </span>
  )
}

/** What a device or user did to others; a phone shows what the list is ordered by at first: events where they are listed by kind. */
function attackColumns(
  t: Words,
  word: (words: { zh: string; en: string } | undefined, key: string) => string,
  kinds: boolean,
): Column<EntityRow>[] {
  return [
    {
      id: 'level',
      header: t('level'),
      cell: (row) => (row.level in LEVELS ? <LevelMark level={row.level as Level} /> : '–'),
    },
    {
      id: 'risk',
      header: t('risk'),
      wide: true,
      cell: (row) => (row.risk ? word(RISK_TYPES[row.risk as RiskType], row.risk) : '–'),
    },
    {
      id: 'attacks',
      header: t('attacksColumn'),
      numeric: true,
      wide: kinds,
      sort: 'attacks',
      cell: (row) => <Num value={row.attacks} />,
    },
  ]
}

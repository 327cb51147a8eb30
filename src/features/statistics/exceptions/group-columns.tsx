import { Link } from 'react-router-dom'
import type { ExceptionGroup } from '#contracts/http/exceptions.ts'
import { PAGES } from '#contracts/pages.ts'
import type { ExceptionKind } from '#domain/exceptions.ts'
import type { Query } from '#domain/query.ts'
import { Sparkline } from '#src/shared/charts/sparkline.tsx'
import { shortAccount } from '#src/shared/format/text.ts'
import type { Translate } from '#src/shared/i18n/texts.ts'
import { carryQuery } from '#src/shared/query/query-url.ts'
import type { NameOf } from '#src/shared/query/value-names.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import type { exceptionTexts } from './exception-texts.ts'
import { shortType } from './kinds.ts'
import { TriageBadges } from './triage-badges.tsx'

type Words = Translate<keyof (typeof exceptionTexts)['entries'] & string>

export const groupPath = (kind: ExceptionKind, group: string, query: Query) =>
  `${PAGES[`${kind}_detail`].path.replace(':id', group)}?${carryQuery(query)}`

export function groupColumns({
  t,
  nameOf,
  kind,
  query,
  selected,
  onSelect,
  withApp,
}: {
  t: Words
  nameOf: NameOf
  kind: ExceptionKind
  query: Query
  selected: ReadonlySet<string>
  onSelect: (group: string) => void
  withApp: boolean
}): Column<ExceptionGroup>[] {
  return [
    {
      id: 'pick',
      header: '',
      fixed: true,
      width: '40px',
      cell: (row) => (
        // biome-ignore lint/a11y/useSemanticElements: a click on an input would open the row
        <button
          type="button"
          role="checkbox"
          aria-checked={selected.has(row.group)}
          aria-label={t('select', { name: row.type })}
          onClick={() => onSelect(row.group)}
          className="flex size-4 items-center justify-center rounded-[3px] border border-faint text-12/4 aria-checked:border-brand-fill aria-checked:bg-brand-fill aria-checked:text-brand-on"
        >
          {selected.has(row.group) && <span aria-hidden>✓</span>}
        </button>
      ),
    },
    {
      id: 'failure',
      header: t('failure'),
      fixed: true,
      cell: (row) => (
        <span className="flex max-w-[28vw] min-w-0 items-center gap-2 py-1.5 max-lg:max-w-[60vw] max-sm:max-w-[72vw]">
          <span className="min-w-0">
            <span className="flex items-center gap-2">
              <Link
                to={groupPath(kind, row.group, query)}
                title={row.type}
                className="text-clip-line font-semibold text-text hover:text-brand-text hover:underline"
              >
                {shortType(row.type) || t('unknown')}
              </Link>
              <TriageBadges triage={row.triage} isNew={row.is_new} />
              {row.obfuscated && (
                <span title={t('shrunkNote')}>
                  <Chip tone="neutral">{t('shrunk')}</Chip>
                </span>
              )}
            </span>
            <code className="text-clip-line block text-12 text-muted" title={row.culprit}>
              {row.culprit || row.group}
            </code>
          </span>
        </span>
      ),
    },
    ...(withApp ? [{ id: 'app', header: t('app'), cell: (row: ExceptionGroup) => nameOf('app', row.appid) }] : []),
    { id: 'trend', header: t('trend'), width: '96px', cell: (row) => <Sparkline values={row.trend} width={80} /> },
    { id: 'events', header: t('events'), numeric: true, sort: 'events', cell: (row) => <Num value={row.events} /> },
    { id: 'devices', header: t('devices'), numeric: true, sort: 'devices', cell: (row) => <Num value={row.devices} /> },
    { id: 'users', header: t('users'), numeric: true, sort: 'users', cell: (row) => <Num value={row.users} /> },
    {
      id: 'versions',
      header: t('versions'),
      cell: (row) => (
        <span title={row.versions.join('\n')}>
          {row.versions[0] || '–'}
          {row.versions.length > 1 && <span className="text-muted"> +{row.versions.length - 1}</span>}
        </span>
      ),
    },
    {
      id: 'assignee',
      header: t('assignee'),
      cell: (row) => (row.triage.assignee ? shortAccount(row.triage.assignee) : '–'),
    },
    {
      id: 'first',
      header: t('first'),
      numeric: true,
      sort: 'first',
      cell: (row) => (
        <span title={row.first_version}>
          <RelativeTime at={row.first_at} />
        </span>
      ),
    },
    {
      id: 'last',
      header: t('last'),
      numeric: true,
      sort: 'last',
      fixed: true,
      cell: (row) => <RelativeTime at={row.last_at} />,
    },
  ]
}

import type { DynamicResult } from '#contracts/detection/dynamic-result.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { type Translate, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { dynamicTexts } from './dynamic-texts.ts'
import { secondsOf } from './run-timeline.tsx'

type T = Translate<keyof typeof dynamicTexts.entries & string>
type Row<Name extends keyof DynamicResult> = DynamicResult[Name] extends readonly (infer One)[] ? One : never
const MANY = 14

const mono = (text: string) => (
  <span className="font-mono text-12 whitespace-normal [overflow-wrap:anywhere]">{text}</span>
)
const time = (at: number | null) => (at === null ? '–' : secondsOf(at))
const early = (t: T, before: boolean) => before && <Chip tone="bad">{t('beforeInput')}</Chip>

/** One list of what was seen; left out where there is nothing, unless that is worth saying. */
function List<One extends object>({
  title,
  note,
  rows,
  columns,
  keyOf,
  sayNone = false,
}: {
  title: string
  note?: string
  rows: readonly One[]
  columns: readonly Column<One>[]
  keyOf: (row: One, index: number) => string
  sayNone?: boolean
}) {
  const t = useTexts(dynamicTexts)
  if (rows.length === 0 && !sayNone) return null
  const keyed = rows.map((row, index) => ({ ...row, key: keyOf(row, index) }))
  return (
    <Section
      plain
      title={title}
      note={rows.length > 0 ? [String(rows.length), ...(note ? [note] : [])].join(t('comma')) : undefined}
      className="border-t [&>header]:pl-0"
    >
      {rows.length === 0 ? (
        <p className="pb-3 text-muted">{t('none')}</p>
      ) : (
        <div className="pb-3 [&_:is(td,th):first-child]:pl-0 [&_:is(td,th):last-child]:pr-0">
          <DataTable
            label={title}
            columns={columns}
            rows={keyed}
            rowKey={(row) => row.key}
            openMark={false}
            {...(rows.length > MANY && { maxHeight: '520px' })}
          />
        </div>
      )}
    </Section>
  )
}

/** Everything that was seen, list by list: what weighs most first. */
export function DynamicTables({ seen }: { seen: DynamicResult }) {
  const t = useTexts(dynamicTexts)
  const language = useLanguage()
  const personal = seen.uses.filter((one) => one.personal)
  const others = seen.uses.length - personal.length
  // Those that came with the installation are the package's affair.
  const asked = seen.permissions.filter((one) => one.byUs || one.before !== true || one.after !== true)
  const regions = new Intl.DisplayNames([language === 'zh' ? 'zh-CN' : 'en'], { type: 'region' })
  const country = ({ where, country: code }: Row<'destinations'>) =>
    where === 'local' ? t('local') : code === '' ? t('unknown') : (regions.of(code) ?? code)
  return (
    <>
      <List
        title={t('uses')}
        note={others > 0 ? t('usesNote') + t('comma') + t('otherUses', { count: others }) : t('usesNote')}
        rows={personal}
        keyOf={({ op }) => op}
        sayNone
        columns={[
          { id: 'use', header: t('use'), cell: (row) => row.name[language] },
          { id: 'op', header: 'AppOps', width: '240px', wide: true, cell: (row) => mono(row.op) },
          { id: 'early', header: '', width: '110px', cell: (row) => early(t, row.beforeInput) },
          { id: 'first', header: t('first'), width: '90px', numeric: true, cell: (row) => time(row.first) },
          { id: 'last', header: t('last'), width: '90px', numeric: true, wide: true, cell: (row) => time(row.last) },
          { id: 'refused', header: t('refused'), width: '110px', numeric: true, cell: (row) => time(row.refused) },
        ]}
      />
      <List
        title={t('destinations')}
        note={t('destinationsNote')}
        rows={seen.destinations}
        keyOf={(row) => `${row.protocol} ${row.address} ${row.port}`}
        sayNone
        columns={[
          {
            id: 'address',
            header: t('address'),
            cell: (row) =>
              mono(`${row.host ? `${row.host} (${row.address})` : row.address}:${row.port}/${row.protocol}`),
          },
          {
            id: 'place',
            header: t('place'),
            width: '140px',
            cell: (row) => (row.where === 'abroad' ? <Chip tone="warn">{country(row)}</Chip> : country(row)),
          },
          {
            id: 'marks',
            header: '',
            width: '210px',
            wide: true,
            cell: (row) => (
              <span className="flex gap-1">
                {row.cleartext && <Chip tone="warn">{t('cleartext')}</Chip>}
                {row.beforeInput && row.where !== 'local' && <Chip tone="neutral">{t('beforeInput')}</Chip>}
              </span>
            ),
          },
          { id: 'first', header: t('first'), width: '90px', numeric: true, cell: (row) => time(row.first) },
        ]}
      />
      <List
        title={t('listening')}
        rows={seen.listening}
        keyOf={(row) => `${row.protocol} ${row.address} ${row.port}`}
        columns={[
          { id: 'address', header: t('address'), cell: (row) => mono(`${row.address}:${row.port}/${row.protocol}`) },
          {
            id: 'reach',
            header: t('place'),
            width: '200px',
            cell: (row) => (row.loopback ? t('loopback') : <Chip tone="warn">{t('anyone')}</Chip>),
          },
          { id: 'first', header: t('first'), width: '90px', numeric: true, cell: (row) => time(row.first) },
        ]}
      />
      <Incidents seen={seen} />
      <List
        title={t('leaks')}
        rows={seen.leaks}
        keyOf={(row, index) => `${index} ${row.kind} ${row.where}`}
        sayNone
        columns={[
          { id: 'what', header: t('what'), width: '200px', cell: (row) => row.name[language] },
          { id: 'where', header: t('where'), width: '220px', cell: (row) => mono(row.where) },
          {
            id: 'line',
            header: t('line'),
            wide: true,
            cell: (row) => <span className="whitespace-normal">{mono(row.line)}</span>,
          },
          { id: 'at', header: t('first'), width: '90px', numeric: true, cell: (row) => time(row.at) },
        ]}
      />
      <List
        title={t('files')}
        note={t('filesNote')}
        rows={seen.files}
        keyOf={(row) => `${row.area} ${row.path}`}
        columns={[
          { id: 'path', header: t('path'), cell: (row) => <span className="whitespace-normal">{mono(row.path)}</span> },
          { id: 'area', header: t('area'), width: '120px', cell: (row) => t(row.area) },
          { id: 'change', header: t('change'), width: '90px', wide: true, cell: (row) => t(row.change) },
          { id: 'mode', header: t('mode'), width: '80px', wide: true, cell: (row) => mono(row.mode) },
          { id: 'size', header: t('size'), width: '90px', numeric: true, cell: (row) => formatBytes(row.size) },
        ]}
      />
      <List
        title={t('permissions')}
        note={t('permissionsNote', { count: seen.permissions.length - asked.length })}
        rows={asked}
        keyOf={({ name }) => name}
        columns={[
          { id: 'name', header: t('permission'), cell: (row) => mono(row.name) },
          { id: 'before', header: t('before'), width: '130px', cell: (row) => grantOf(t, row.before) },
          {
            id: 'after',
            header: t('after'),
            width: '200px',
            cell: (row) => (row.byUs ? <Chip tone="neutral">{t('byUs')}</Chip> : grantOf(t, row.after)),
          },
        ]}
      />
      <List
        title={t('activities')}
        rows={seen.activities}
        keyOf={({ name }) => name}
        columns={[
          { id: 'name', header: t('activity'), cell: (row) => mono(row.name) },
          {
            id: 'outcome',
            header: t('outcome'),
            width: '200px',
            cell: (row) =>
              row.outcome === 'crashed' ? (
                <Chip tone="bad">{t('crashed')}</Chip>
              ) : (
                t(row.outcome === 'opened' ? 'opened' : 'refusedOpen')
              ),
          },
        ]}
      />
      <List
        title={t('processes')}
        rows={seen.processes}
        keyOf={({ name }) => name}
        columns={[
          { id: 'name', header: t('process'), cell: (row) => mono(row.name) },
          { id: 'first', header: t('first'), width: '90px', numeric: true, cell: (row) => time(row.first) },
          { id: 'last', header: t('last'), width: '90px', numeric: true, cell: (row) => time(row.last) },
        ]}
      />
    </>
  )
}

const grantOf = (t: T, granted: boolean | null) => (granted === null ? '–' : t(granted ? 'granted' : 'denied'))

function Incidents({ seen }: { seen: DynamicResult }) {
  const t = useTexts(dynamicTexts)
  return (
    <Section
      plain
      title={t('incidents')}
      note={seen.incidents.length || undefined}
      className="border-t [&>header]:pl-0"
    >
      {seen.incidents.length === 0 && <p className="pb-3 text-muted">{t('none')}</p>}
      <ul className="pb-2">
        {seen.incidents.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index} className="border-t py-2 first:border-t-0">
            <details>
              <summary className="cursor-pointer">
                <Chip tone={one.kind === 'strict_mode' ? 'warn' : 'bad'}>{t(one.kind)}</Chip>{' '}
                <span className="text-12 text-muted tabular-nums">{secondsOf(one.at)}</span>{' '}
                <span className="[overflow-wrap:anywhere]">{one.headline}</span>{' '}
                {one.activity && (
                  <span className="text-12 text-muted">{t('whenOpened', { activity: one.activity })}</span>
                )}
              </summary>
              <pre className="mt-2 overflow-x-auto rounded bg-hover p-3 font-mono text-12">{one.lines.join('\n')}</pre>
            </details>
          </li>
        ))}
      </ul>
    </Section>
  )
}

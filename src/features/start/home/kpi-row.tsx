import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import type { Measures } from '#domain/query.ts'
import { queryToParams } from '#domain/query.ts'
import { Delta } from '#src/shared/charts/delta.tsx'
import { formatNumber, formatPercent } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Num } from '#src/shared/ui/num.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { DAY } from './home-query.ts'
import { homeTexts } from './home-texts.ts'

/** Six numbers of the last 24 hours against the 24 before; each leads to user analysis over the same hours. */
export function KpiRow({
  now,
  before,
  apps,
}: {
  now: Measures | undefined
  before: Measures | undefined
  apps: number
}) {
  const t = useTexts(homeTexts)
  const share = (part: number | undefined, whole: number | undefined) => formatPercent(whole ? (part ?? 0) / whole : 0)
  const each = (part: number | undefined, whole: number | undefined) => (whole ? (part ?? 0) / whole : 0).toFixed(1)
  const cells: { id: keyof Measures; title: string; note: ReactNode; bad?: boolean }[] = [
    {
      id: 'attacks',
      title: t('attacks'),
      note: t('blocked', { share: share(now?.blocked, now?.attacks), count: apps }),
      bad: true,
    },
    {
      id: 'attackedUsers',
      title: t('attackedUsers'),
      note: t('shareOfActive', { share: share(now?.attackedUsers, now?.users) }),
      bad: true,
    },
    {
      id: 'attackedDevices',
      title: t('attackedDevices'),
      note: t('shareOfActive', { share: share(now?.attackedDevices, now?.devices) }),
      bad: true,
    },
    { id: 'devices', title: t('devices'), note: t('newDevices', { number: formatNumber(now?.newDevices ?? 0) }) },
    { id: 'starts', title: t('starts'), note: t('perDevice', { number: each(now?.starts, now?.devices) }) },
    {
      id: 'crashes',
      title: t('crashes'),
      note: t('perThousand', { number: each((now?.crashes ?? 0) * 1000, now?.starts) }),
      bad: true,
    },
  ]
  return (
    <section className="grid grid-cols-6 border-y max-xl:grid-cols-3 max-sm:grid-cols-2">
      {cells.map(({ id, title, note, bad = false }) => (
        <Cell key={id} title={title}>
          {now ? (
            <>
              <span
                data-value={now[id] ?? 0}
                className="flex h-8 items-baseline gap-2 text-28/8 whitespace-nowrap max-sm:text-20/8"
              >
                <Num value={now[id] ?? 0} />
                {before && <Delta now={now[id] ?? 0} before={before[id] ?? 0} bad={bad} />}
              </span>
              <span className="text-clip-line block text-12/5 text-muted">{note}</span>
            </>
          ) : (
            <Skeleton height="24px" width="70%" className="pt-1" />
          )}
        </Cell>
      ))}
    </section>
  )
}

function Cell({ title, children }: { title: string; children: ReactNode }) {
  const mayOpen = useMay('statistics')
  const className =
    'block h-[84px] min-w-0 border-r px-4 pt-2.5 [&:nth-child(6n)]:border-r-0 max-xl:border-b max-xl:[&:nth-child(3n)]:border-r-0 max-xl:[&:nth-child(n+4)]:border-b-0 max-sm:[&:nth-child(3n)]:border-r max-sm:[&:nth-child(2n)]:border-r-0 max-sm:[&:nth-child(n+3)]:border-b max-sm:[&:nth-child(n+5)]:border-b-0 lg:first:pl-5'
  const inside = (
    <>
      <span className="text-clip-line block text-12/4 text-muted">{title}</span>
      {children}
    </>
  )
  return mayOpen ? (
    <Link to={`${PAGES.user_analysis.path}?${queryToParams(DAY)}`} className={`${className} hover:bg-hover`}>
      {inside}
    </Link>
  ) : (
    <div className={className}>{inside}</div>
  )
}

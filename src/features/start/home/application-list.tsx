import { useNavigate } from 'react-router-dom'
import type { Application } from '#contracts/http/applications.ts'
import { PAGES } from '#contracts/pages.ts'
import type { SeriesAnswer, TopAnswer } from '#domain/query.ts'
import { PLATFORMS, wordOf } from '#domain/vocabulary.ts'
import { Delta } from '#src/shared/charts/delta.tsx'
import { Sparkline } from '#src/shared/charts/sparkline.tsx'
import { formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { setCurrentApplication } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Avatar } from '#src/shared/ui/avatar.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { homeTexts } from './home-texts.ts'

/** Every application with its day: attacks against the day before, attacked users, the curve. A row makes it current and opens its analysis. */
export function ApplicationList({
  list,
  top,
  hours,
}: {
  list: readonly Application[]
  top: TopAnswer
  hours: SeriesAnswer | undefined
}) {
  const t = useTexts(homeTexts)
  const groups = new Map(top.groups.map((group) => [group.key, group]))
  const rows = list
    .map((application) => ({ application, group: groups.get(application.id) }))
    .sort((a, b) => (b.group?.row.attacks ?? 0) - (a.group?.row.attacks ?? 0))
  const attacks = rows.reduce((sum, { group }) => sum + (group?.row.attacks ?? 0), 0)
  const reporting = rows.filter(({ group }) => (group?.row.events ?? 0) > 0).length
  return (
    <>
      <ul className="min-h-0 flex-1">
        {rows.map(({ application, group }) => (
          <Row key={application.id} application={application} group={group} curve={curveOf(hours, application.id)} />
        ))}
      </ul>
      <footer className="flex min-h-9 items-center justify-between gap-2 px-4 text-12 text-muted">
        <span>{t('total', { attacks: formatExact(attacks) })}</span>
        <span className="flex items-center gap-1.5">
          <span aria-hidden className={`size-[7px] rounded-full ${reporting ? 'bg-good' : 'bg-faint'}`} />
          {t('reporting', { count: reporting })}
        </span>
      </footer>
    </>
  )
}

function Row({
  application,
  group,
  curve,
}: {
  application: Application
  group: TopAnswer['groups'][number] | undefined
  curve: readonly number[]
}) {
  const t = useTexts(homeTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const mayOpen = useMay('statistics')
  const platform = wordOf(PLATFORMS, application.mime_type)
  const attacks = group?.row.attacks ?? 0
  return (
    <li className="border-b">
      <button
        type="button"
        disabled={!mayOpen}
        onClick={() => {
          setCurrentApplication(application.id)
          void navigate(`${PAGES.user_analysis.path}?appid=${application.id}`)
        }}
        className="flex min-h-15 w-full items-center gap-3 px-4 py-2 text-left enabled:hover:bg-hover"
      >
        <Avatar name={application.name} shape="square" size={24} />
        <span className="min-w-0 flex-1">
          <span className="text-clip-line block font-semibold">{application.name}</span>
          <span className="text-clip-line block text-12 text-muted">
            {platform && PLATFORMS[platform][language]}
            {!group && ` · ${t('quiet')}`}
          </span>
        </span>
        <Sparkline values={curve} width={72} />
        <span className="w-16 flex-none text-right">
          <span className="block">
            <Num value={attacks} />
          </span>
          {group?.previous && <Delta now={attacks} before={group.previous.attacks ?? 0} bad />}
        </span>
        <span className="w-12 flex-none text-right">
          <span className="block">
            <Num value={group?.row.attackedUsers ?? 0} />
          </span>
          <span className="text-12 text-muted">{t('users')}</span>
        </span>
      </button>
    </li>
  )
}

/** Attacks of one application by hour; hours without any count as 0. The running hour is left out, since it is not over. */
function curveOf(hours: SeriesAnswer | undefined, app: string): readonly number[] {
  if (!hours) return []
  const starts = [...new Set(hours.points.map((point) => point.start))].sort((a, b) => a - b)
  const values = new Map(
    hours.points.filter((point) => point.key === app).map((point) => [point.start, point.row.attacks ?? 0]),
  )
  return values.size === 0 ? [] : starts.slice(0, -1).map((start) => values.get(start) ?? 0)
}

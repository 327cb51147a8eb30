import { Link } from 'react-router-dom'
import { deviceProfile, setVerdict } from '#contracts/http/devices.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { DEVICE_VERDICTS, type DeviceVerdict, filtersOf, SCORE_RULES } from '#domain/device-score.ts'
import { absoluteRange } from '#domain/time-range.ts'
import type { Subject } from '#domain/trail.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { defineTexts, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { carryQuery } from '#src/shared/query/query-url.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { toast } from '#src/shared/ui/toast.ts'

const texts = defineTexts('attack-trace-subject', {
  suspicious: { zh: '可疑', en: 'Suspicious' },
  usual: { zh: '未达阈值', en: 'Below the threshold' },
  limit: { zh: '阈值 {{limit}}，最近 30 天', en: 'threshold {{limit}}, last 30 days' },
  device: { zh: '设备详情', en: 'Device page' },
  noReasons: { zh: '没有命中规则', en: 'No rule applies' },
  travel: { zh: '不可能移动，待确认', en: 'Impossible travel, to confirm' },
  verdict: { zh: '处置', en: 'Verdict' },
  none: { zh: '未处置', en: 'No verdict' },
  mixed: { zh: '各应用不同', en: 'differs by application' },
  banTitle: { zh: '封禁设备', en: 'Ban the device' },
  banText: {
    zh: '该设备在 {{count}} 个应用中将被 SDK 全部阻断，直到撤回。',
    en: 'The SDK blocks everything on this device in {{count}} applications until this is taken back.',
    one: 'The SDK blocks everything on this device in {{count}} application until this is taken back.',
  },
  ban: { zh: '封禁', en: 'Ban' },
  done: { zh: '已处置：{{verdict}}', en: 'Verdict: {{verdict}}' },
  undo: { zh: '撤销', en: 'Undo' },
  by: { zh: '{{time}}，{{by}}', en: '{{time}}, {{by}}' },
})

/** Score with its reasons and the verdict of a device; users and addresses have neither. */
export function SubjectCard({
  state,
  subject,
  impossible,
}: {
  state: QueryState
  subject: Subject
  impossible: number
}) {
  return subject.kind === 'device' ? <DeviceCard state={state} device={subject.key} impossible={impossible} /> : null
}

function DeviceCard({ state, device, impossible }: { state: QueryState; device: string; impossible: number }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const open = useOpenEvents(state)
  const query = { ...state.query, timeBasis: 'occurred' as const, compare: 'none' as const }
  const { data } = useEndpoint(deviceProfile, { body: { device, query } }, { staleTime: 15_000 })
  if (!data) return null
  const { score } = data
  const points = (value: number) => <span className="w-10 flex-none text-right">{value > 0 ? `+${value}` : '0'}</span>
  return (
    <>
      <section aria-label={t('suspicious')} className="px-5 py-3" data-testid="score">
        <header className="flex items-baseline gap-2">
          <b className="text-24/8 font-semibold" data-testid="score-value">
            {score.score}
          </b>
          <b>{t(score.score >= score.limit ? 'suspicious' : 'usual')}</b>
          <span className="text-12 text-muted">{t('limit', { limit: score.limit })}</span>
          <Link
            className="ml-auto text-12 text-brand-text hover:underline"
            to={`/statistics/user_check/${device}/?${carryQuery(state.query)}`}
          >
            {t('device')}
          </Link>
        </header>
        {score.reasons.length === 0 && impossible === 0 && <p className="text-12 text-muted">{t('noReasons')}</p>}
        <ul className="text-12/5">
          {score.reasons.map((reason) => {
            const rule = SCORE_RULES.find((one) => one.id === reason.rule)
            if (!rule) return null
            return (
              <li key={reason.rule} className="flex items-center gap-2">
                <LevelMark level={rule.level} word={false} />
                <button
                  type="button"
                  className="text-clip-line min-w-0 flex-1 text-left hover:underline"
                  onClick={() =>
                    open.openRows({ ...query, range: absoluteRange(score), filters: filtersOf(rule, device) })
                  }
                >
                  {rule[language]} <span className="text-muted">×{formatExact(reason.count)}</span>
                </button>
                <code className="text-12 text-muted">{rule.id}</code>
                {points(reason.points)}
              </li>
            )
          })}
          {impossible > 0 && (
            <li className="flex items-center gap-2">
              <LevelMark level="info" word={false} />
              <span className="min-w-0 flex-1">
                {t('travel')} <span className="text-muted">×{impossible}</span>
              </span>
              {points(0)}
            </li>
          )}
        </ul>
      </section>
      <DeviceVerdictField device={device} profile={data} />
    </>
  )
}

type Profile = ResponseOf<typeof deviceProfile>

/** One verdict for every application of the device that the analyst sees; taken back by choosing it again, or by undo. */
function DeviceVerdictField({ device, profile }: { device: string; profile: Profile }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const may = useMay('investigation.edit')
  const save = useAction(setVerdict, { refreshes: [deviceProfile] })
  const appids = profile.facts?.apps.map(({ appid }) => appid) ?? []
  const current = appids.map((appid) => profile.verdicts.find((one) => one.appid === appid)?.verdict ?? 'none')
  const value = new Set(current).size === 1 ? (current[0] ?? 'none') : 'mixed'
  const [last] = [...profile.history].sort((a, b) => b.at - a.at)
  if (appids.length === 0) return null
  const nameOf = (verdict: DeviceVerdict | null) => (verdict ? DEVICE_VERDICTS[verdict][language] : t('none'))
  const judge = async (verdict: DeviceVerdict | null) => {
    if (verdict === 'banned') {
      const text = t('banText', { count: appids.length })
      if (!(await confirm({ title: t('banTitle'), text, action: t('ban'), danger: true }))) return
    }
    const answer = await save.mutateAsync({ body: { device, appids, verdict } }).catch(() => undefined)
    if (!answer) return
    const back = async () => {
      for (const { appid, verdict: before, note } of answer.before)
        await save.mutateAsync({ body: { device, appids: [appid], verdict: before, note } })
    }
    toast.success(t('done', { verdict: nameOf(verdict) }), { action: { label: t('undo'), onPress: () => void back() } })
  }
  return (
    <section aria-label={t('verdict')} className="px-5 py-3">
      <header className="mb-2 flex items-center gap-2">
        <h2 className="text-14 font-semibold">{t('verdict')}</h2>
        <span className="text-12 text-muted">{value === 'mixed' && t('mixed')}</span>
        {last && (
          <span className="ml-auto text-12 text-muted">
            {t('by', { time: formatDateTime(last.at, zone, 'minute', Date.now()), by: last.by })}
          </span>
        )}
      </header>
      <SegmentedControl
        label={t('verdict')}
        isDisabled={!may || save.isPending}
        value={value}
        onChange={(next) => void judge(next === 'none' ? null : (next as DeviceVerdict))}
        items={[
          { id: 'none', label: t('none') },
          ...(Object.keys(DEVICE_VERDICTS) as DeviceVerdict[]).map((one) => ({
            id: one,
            label: DEVICE_VERDICTS[one][language],
          })),
        ]}
      />
    </section>
  )
}

import { useTexts } from '#src/shared/i18n/texts.ts'
import type { LiveConnection } from '#src/shared/live/live-connection.ts'
import { useConnection } from '#src/shared/live/use-live.ts'
import { ageText } from '#src/shared/query/live-control.tsx'
import { realtimeTexts } from './realtime-texts.ts'

const DOTS = { connecting: 'bg-warn', live: 'bg-good', stale: 'bg-warn', offline: 'bg-bad', revoked: 'bg-bad' } as const

/** How the connection is doing and how old what shows is: always there. */
export function ConnectionLine({ connection }: { connection: LiveConnection }) {
  const t = useTexts(realtimeTexts)
  const { state, dataAge, status } = useConnection(connection, (all) => all)
  const seconds = status?.backlog.seconds ?? 0
  return (
    <span className="inline-flex flex-wrap items-center gap-2 text-12 text-muted" role="status">
      <span aria-hidden className={`size-[7px] rounded-full ${DOTS[state]}`} />
      <span className={state === 'live' ? '' : 'text-warn-text'}>{t(state)}</span>
      {dataAge !== null && <span className="tabular-nums">{t('age', { age: ageText(dataAge) })}</span>}
      {seconds > 5 && <span className="text-warn-text">{t('behind', { seconds: Math.round(seconds) })}</span>}
      {(state === 'revoked' || state === 'offline') && (
        <button type="button" className="text-brand-text hover:underline" onClick={() => connection.reconnect()}>
          {t('reconnect')}
        </button>
      )}
    </span>
  )
}

import type { ReactNode } from 'react'
import type { communicationOverview } from '#contracts/http/communication.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { Delta } from '#src/shared/charts/delta.tsx'
import { formatPercent } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Num } from '#src/shared/ui/num.tsx'
import { communicationTexts } from './communication-texts.ts'

export type Overview = ResponseOf<typeof communicationOverview>['data']

/** The five numbers of the last 24 hours. */
export function Figures({ data }: { data: Overview }) {
  const t = useTexts(communicationTexts)
  const { figures, policy } = data
  const share = (refused: number, requests: number) => (requests === 0 ? '–' : formatPercent(refused / requests, 3))
  return (
    <div className="grid flex-none grid-cols-5 border-t border-b max-lg:grid-cols-3 max-sm:grid-cols-2">
      <Figure
        name="requests"
        label={t('requests')}
        value={<Num value={figures.requests} />}
        beside={<Delta now={figures.requests} before={figures.before.requests} />}
        note={t('handshakes', { count: figures.handshakes })}
      />
      <Figure
        name="refused"
        label={t('refused')}
        value={<Num value={figures.refused} />}
        note={t('refusedShare', {
          share: share(figures.refused, figures.requests),
          before: share(figures.before.refused, figures.before.requests),
        })}
      />
      <Figure
        name="time"
        label={t('gatewayTime')}
        value={figures.mean_micros === null ? '–' : millis(figures.mean_micros)}
        beside={figures.mean_micros !== null && <span className="text-14">ms</span>}
        note={t('gatewayTimeNote')}
      />
      <Figure
        name="replayed"
        label={t('replayed')}
        value={<Num value={figures.replayed} />}
        note={t(figures.replayed > 0 ? 'replayedNote' : 'noReplay')}
      />
      <Figure
        name="plain"
        label={t('plain')}
        value={figures.plain === null ? '–' : <Num value={figures.plain} />}
        note={t(figures.plain === null ? 'plainOne' : policy === 'enforce' ? 'plainEnforce' : 'plainObserve')}
      />
    </div>
  )
}

function millis(micros: number): string {
  const ms = micros / 1000
  return ms < 10 ? ms.toFixed(2) : ms.toFixed(1)
}

function Figure({
  name,
  label,
  value,
  beside,
  note,
}: {
  name: string
  label: string
  value: ReactNode
  beside?: ReactNode
  note: string
}) {
  return (
    <div className="-mr-px -mb-px min-w-0 border-r border-b px-5 py-3" data-testid={`figure-${name}`}>
      <div className="text-12 text-muted">{label}</div>
      <div className="flex items-baseline gap-2">
        <span className="text-28/9 tabular-nums max-sm:text-20/7">{value}</span>
        {beside}
      </div>
      <div className="text-clip-line text-12 text-muted" title={note}>
        {note}
      </div>
    </div>
  )
}

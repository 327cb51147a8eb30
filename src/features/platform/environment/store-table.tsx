import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import type { EnvironmentAnswer } from '#contracts/http/environment.ts'
import { METRIC_WORDS } from '#domain/environment.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { environmentTexts } from './environment-texts.ts'

/** Sizes and states of the stores, and what waits in the queues. */
export function StoreTable({ data, isStale }: { data: EnvironmentAnswer; isStale: boolean }) {
  const t = useTexts(environmentTexts)
  const language = useLanguage()
  const { stores, queues } = data.snapshot
  const states = { size_events: stores.events, size_metadata: stores.metadata, size_journal: stores.journal } as const
  const head = 'py-2 pr-4 font-normal text-muted'
  return (
    <Section plain title={t('stores')} state={isStale ? 'stale' : 'ready'}>
      <div className="px-5 pb-3">
        <table className="w-full border-collapse tabular-nums" data-testid="stores">
          <thead>
            <tr className="border-b text-12">
              <th className={`${head} text-left`}>{t('store')}</th>
              <th className={`${head} text-right`}>{t('size')}</th>
              <th className={`${head} text-right`}>{t('growth')}</th>
              <th className={`${head} pr-0 text-left`}>{t('state')}</th>
            </tr>
          </thead>
          <tbody>
            {data.sizes.map(({ metric, bytes, growth }) => (
              <tr key={metric} className="border-b last:border-b-0">
                <td className="h-9 py-1 pr-4">{METRIC_WORDS[metric][language]}</td>
                <td className="h-9 py-1 pr-4 text-right whitespace-nowrap">
                  {bytes === null ? '–' : formatBytes(bytes)}
                </td>
                <td className="h-9 py-1 pr-4 text-right whitespace-nowrap text-muted">
                  {growth === null ? '–' : `${growth < 0 ? '−' : '+'}${formatBytes(Math.abs(growth))}`}
                </td>
                <td className="h-9 py-1">
                  {metric in states && <StoreState state={states[metric as keyof typeof states]} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h3 className="px-5 pb-1 text-12 text-muted">{t('queues')}</h3>
      <ul className="px-5 pb-3">
        {queues.map(({ name, waiting, running }) => (
          <li key={name} className="flex min-h-8 items-center border-b py-1 last:border-b-0">
            {t(name)}
            <span className="ml-auto text-muted tabular-nums">{t('queueLine', { waiting, running })}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function StoreState({ state }: { state: 'ok' | 'behind' | 'down' | 'full' }) {
  const t = useTexts(environmentTexts)
  const [icon, tone] =
    state === 'ok'
      ? [CircleCheck, 'text-good-text']
      : state === 'behind'
        ? [TriangleAlert, 'text-warn-text']
        : [CircleX, 'text-bad-text']
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon of={icon} size={14} className={tone} />
      {t(state)}
    </span>
  )
}

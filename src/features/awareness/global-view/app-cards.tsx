import { rateText } from '#src/features/statistics/parts/figure-row.tsx'
import { Delta } from '#src/shared/charts/delta.tsx'
import { Sparkline } from '#src/shared/charts/sparkline.tsx'
import { formatPercent } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Num } from '#src/shared/ui/num.tsx'
import { type AppLine, attackRate } from './global-parts.ts'
import { globalTexts } from './global-texts.ts'

type OnOpen = (id: string, page: 'app_analysis' | 'attack_analysis') => void

/** A card an application: the last hour, then its figures with their change. The card opens its analysis, attacks those of attacks. */
export function AppCards({
  lines,
  compares,
  onOpen,
}: {
  lines: readonly AppLine[]
  compares: boolean
  onOpen: OnOpen
}) {
  return (
    // A few cards fill the width, as far as a card can be wide.
    <ul
      className="grid grid-cols-[repeat(auto-fit,minmax(17.5rem,1fr))] gap-3 px-5 pb-5"
      style={{ maxWidth: `${Math.max(2, lines.length) * 28}rem` }}
    >
      {lines.map((line) => (
        <AppCard key={line.id} line={line} compares={compares} onOpen={onOpen} />
      ))}
    </ul>
  )
}

function AppCard({ line, compares, onOpen }: { line: AppLine; compares: boolean; onOpen: OnOpen }) {
  const t = useTexts(globalTexts)
  const { id, name, mimeType, row, previous, crashRate, minutes } = line
  const attacks = row.attacks ?? 0
  const before = (value: number | undefined) => (compares ? (value ?? 0) : undefined)
  return (
    <li
      className="relative flex flex-col rounded border bg-surface focus-within:border-brand hover:border-brand"
      data-app={id}
    >
      <div className="flex items-baseline gap-2 px-4 pt-3">
        <button
          type="button"
          className="text-clip-line min-w-0 text-left text-14 font-semibold after:absolute after:inset-0 focus-visible:outline-none"
          onClick={() => onOpen(id, 'app_analysis')}
        >
          {name}
        </button>
        <span className="flex-none text-12 text-muted">{mimeType === 2 ? 'iOS' : 'Android'}</span>
      </div>
      <div className="flex items-end justify-between gap-3 px-4 pt-2">
        <span>
          <span className="block text-12 text-muted">{t('attacks')}</span>
          <span className="flex items-baseline gap-2">
            <button
              type="button"
              title={t('attackAnalysis')}
              data-testid={`attacks-${id}`}
              data-value={attacks}
              className="relative z-1 rounded-small text-20/7 hover:text-brand-text"
              onClick={() => onOpen(id, 'attack_analysis')}
            >
              <Num value={attacks} />
            </button>
            {compares && <Delta now={attacks} before={previous?.attacks ?? 0} bad />}
          </span>
        </span>
        <span className="text-right text-12 text-muted">
          <Sparkline values={minutes} width={96} height={28} />
          <span className="block" title={t('hour')}>
            {t('perSecond', { rate: rateText(attackRate(minutes)) })}
          </span>
        </span>
      </div>
      <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-1.5 border-t px-4 py-2.5 text-12">
        <Figure label={t('blocked')}>{attacks > 0 ? formatPercent((row.blocked ?? 0) / attacks) : '–'}</Figure>
        <Figure
          label={t('attackedShort')}
          title={t('attackedUsers')}
          now={row.attackedUsers ?? 0}
          before={before(previous?.attackedUsers)}
          bad
        />
        <Figure
          label={t('devicesShort')}
          title={t('devices')}
          now={row.devices ?? 0}
          before={before(previous?.devices)}
        />
        <Figure label={t('crashRate')} title={t('crashNote')}>
          {row.starts ? rateText(crashRate) : '–'}
        </Figure>
      </dl>
    </li>
  )
}

function Figure({
  label,
  title,
  now,
  before,
  bad = false,
  children,
}: {
  label: string
  title?: string
  now?: number
  before?: number | undefined
  bad?: boolean
  children?: string
}) {
  return (
    <div className="flex min-w-0 items-baseline justify-between gap-2" title={title}>
      <dt className="text-clip-line text-muted">{label}</dt>
      <dd className="flex flex-none items-baseline gap-1.5">
        {now !== undefined && before !== undefined && <Delta now={now} before={before} bad={bad} />}
        <span className="text-13">{now === undefined ? children : <Num value={now} />}</span>
      </dd>
    </div>
  )
}

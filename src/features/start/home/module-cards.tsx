import { BellRing, Folder, KeyRound, ListTodo, Package, ScanSearch, SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import type { HomeModule, homeOverview } from '#contracts/http/home.ts'
import { PAGES } from '#contracts/pages.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { homeTexts } from './home-texts.ts'

type Overview = ResponseOf<typeof homeOverview>
type Figures = NonNullable<Overview['modules'][number]['figures']>
type Look = {
  icon: IconType
  to: string
  /** The figure that the card shows large. */
  main: (figures: Figures) => number
  /** What the figure calls for: a warning, something bad, or nothing. */
  tone: (figures: Figures) => 'warn' | 'bad' | ''
}

const of = (figures: Figures, name: string) => figures[name] ?? 0
const LOOKS: Record<HomeModule, Look> = {
  assets: { icon: Package, to: PAGES.assets.path, main: (f) => of(f, 'files'), tone: () => '' },
  detection: {
    icon: ScanSearch,
    to: PAGES.vulnerability_analysis.path,
    main: (f) => of(f, 'high') + of(f, 'middle'),
    tone: (f) => (of(f, 'high') > 0 ? 'bad' : of(f, 'middle') > 0 ? 'warn' : ''),
  },
  alerts: {
    icon: BellRing,
    to: `${PAGES.alerts.path}?state=unacknowledged`,
    main: (f) => of(f, 'unacknowledged'),
    tone: (f) => (of(f, 'critical') > 0 ? 'bad' : of(f, 'unacknowledged') > 0 ? 'warn' : ''),
  },
  policies: {
    icon: SlidersHorizontal,
    to: PAGES.policies.path,
    main: (f) => of(f, 'running'),
    tone: (f) => (of(f, 'paused') > 0 ? 'warn' : ''),
  },
  cases: { icon: Folder, to: PAGES.investigation.path, main: (f) => of(f, 'open'), tone: () => '' },
  jobs: {
    icon: ListTodo,
    to: `${PAGES.notifications.path}?kind=job`,
    main: (f) => of(f, 'running'),
    tone: (f) => (of(f, 'failed') > 0 ? 'bad' : ''),
  },
  licence: {
    icon: KeyRound,
    to: PAGES.licence.path,
    main: (f) => of(f, 'days'),
    tone: (f) => (of(f, 'days') === 0 ? 'bad' : of(f, 'days') <= 30 ? 'warn' : ''),
  },
}
const TONES = { '': '', warn: 'text-warn-text', bad: 'text-bad-text' }

/** One card for each module that the account may use; modules that are not built have none. Each leads to its page. */
export function ModuleCards({
  overview,
  isStale,
  error,
  onRetry,
}: {
  overview: Overview | undefined
  /** The last answer is older than it should be: the server does not answer now. */
  isStale: boolean
  error: Error | null
  onRetry: () => void
}) {
  const t = useTexts(homeTexts)
  return (
    <Section
      plain
      title={t('modules')}
      note={isStale && <span className="text-warn-text">{t('stale')}</span>}
      state={isStale ? 'stale' : 'ready'}
      className="border-b"
    >
      {error && !overview ? (
        <p role="alert" className="flex items-center gap-3 px-5 pb-3 text-bad-text">
          {t('modulesFailed')}
          <button type="button" onClick={onRetry} className="text-brand-text hover:underline">
            {t('retry')}
          </button>
        </p>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(152px,1fr))] gap-3 px-5 pb-4 max-lg:px-4 max-sm:grid-cols-2">
          {overview
            ? overview.modules.map(({ module, figures }) => (
                <Card key={module} module={module}>
                  {figures ? <Shown module={module} figures={figures} /> : <Failed onRetry={onRetry} />}
                </Card>
              ))
            : ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
                <li key={key} className="h-[96px] rounded border p-3">
                  <Skeleton lines={3} height="16px" />
                </li>
              ))}
        </ul>
      )}
    </Section>
  )
}

function Card({ module, children }: { module: HomeModule; children: ReactNode }) {
  const t = useTexts(homeTexts)
  const { icon, to } = LOOKS[module]
  return (
    <li className="relative min-h-[96px] min-w-0 rounded border p-3 hover:bg-hover">
      <h3 className="flex items-center gap-2 text-12 text-muted">
        <Icon of={icon} size={14} />
        {/* The whole card is the link's target. */}
        <Link to={to} className="after:absolute after:inset-0">
          {t(`module_${module}`)}
        </Link>
      </h3>
      {children}
    </li>
  )
}

function Shown({ module, figures }: { module: HomeModule; figures: Figures }) {
  const t = useTexts(homeTexts)
  const { main, tone } = LOOKS[module]
  const allowed = figures['allowed'] ?? t('unlimited')
  const note = t(`module_${module}_note`, { ...figures, allowed })
  return (
    <>
      <p className={`mt-1 flex items-baseline gap-1.5 text-28/8 ${TONES[tone(figures)]}`}>
        <Num value={main(figures)} />
        <span className="text-12 text-muted">{t(`module_${module}_unit`)}</span>
      </p>
      <p className="text-12 text-muted">{note}</p>
    </>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const t = useTexts(homeTexts)
  return (
    <p className="relative mt-2 text-12 text-bad-text">
      {t('moduleFailed')}{' '}
      <button type="button" onClick={onRetry} className="text-brand-text hover:underline">
        {t('retry')}
      </button>
    </p>
  )
}

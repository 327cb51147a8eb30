import {
  Bug,
  CircleDot,
  FileText,
  Hourglass,
  MousePointerClick,
  Navigation,
  Rocket,
  ShieldAlert,
  ToggleLeft,
  TriangleAlert,
  Wifi,
} from 'lucide-react'
import type { BreadcrumbKind } from '#contracts/telemetry/wire.ts'
import type { ExceptionKind } from '#domain/exceptions.ts'
import type { EventRow } from '#domain/query.ts'
import { EVENT_TYPES } from '#domain/vocabulary.ts'
import { formatDateTime, formatDuration } from '#src/shared/format/time.ts'
import { defineTexts, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { exceptionTexts } from './exception-texts.ts'

const kinds = defineTexts('exception-trail', {
  start: { zh: '启动', en: 'Start' },
  page: { zh: '页面', en: 'Page' },
  tap: { zh: '点击', en: 'Tap' },
  request: { zh: '请求', en: 'Request' },
  risk: { zh: '风险', en: 'Risk' },
  state: { zh: '状态', en: 'State' },
  log: { zh: '日志', en: 'Log' },
})
const ICONS: Record<BreadcrumbKind, IconType> = {
  start: Rocket,
  page: Navigation,
  tap: MousePointerClick,
  request: Wifi,
  risk: ShieldAlert,
  state: ToggleLeft,
  log: FileText,
}
/** What it ended in, as in the menu. */
const ENDS: Record<ExceptionKind, IconType> = { crash: Bug, anr: Hourglass, exception: TriangleAlert }
type Step = { at: number; kind: string; text: string }

/** The steps that the sender reported before the event, oldest first, with how long before. */
export function TrailCard({ row, type }: { row: EventRow; type: string }) {
  const t = useTexts(exceptionTexts)
  const k = useTexts(kinds)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const detail = (row.extra['detail'] ?? {}) as Record<string, unknown>
  const steps = stepsOf(detail['breadcrumbs'])
  // The phone's own clock runs through both, so the last step may not lie after the event.
  const end = Math.max(row.occurredAt, ...steps.map((step) => step.at))
  const first = steps[0]
  const facts = [
    typeof detail['foreground'] === 'boolean' && t(detail['foreground'] ? 'foreground' : 'background'),
    typeof detail['memory'] === 'number' && t('memory', { count: detail['memory'] }),
    detail['orientation'] === 'portrait' || detail['orientation'] === 'landscape'
      ? t(detail['orientation'])
      : detail['orientation'],
  ].filter((fact) => typeof fact === 'string')
  return (
    <Section
      plain
      title={t('trail')}
      note={[first && t('trailNote', { span: formatDuration(end - first.at, language), count: steps.length }), ...facts]
        .filter(Boolean)
        .join(language === 'zh' ? '，' : ', ')}
    >
      {steps.length === 0 ? (
        <p className="px-5 pb-4 text-12 text-muted">{t('noTrail')}</p>
      ) : (
        <ol className="pb-3 text-13">
          {steps.map((step, index) => (
            <TrailLine
              // biome-ignore lint/suspicious/noArrayIndexKey: steps have an order and nothing else
              key={index}
              icon={ICONS[step.kind as BreadcrumbKind] ?? CircleDot}
              word={step.kind in ICONS ? k(step.kind as BreadcrumbKind) : step.kind}
              text={step.text}
              at={formatDateTime(step.at, zone, 'time')}
              before={end - step.at}
            />
          ))}
          <TrailLine
            icon={ENDS[row.type as ExceptionKind] ?? CircleDot}
            word={EVENT_TYPES[row.type as 'crash']?.[language] ?? row.type}
            text={type}
            at={formatDateTime(row.occurredAt, zone, 'time')}
            before={0}
            isEnd
          />
        </ol>
      )}
    </Section>
  )
}

function TrailLine({
  icon,
  word,
  text,
  at,
  before,
  isEnd = false,
}: {
  icon: IconType
  word: string
  text: string
  at: string
  before: number
  isEnd?: boolean
}) {
  return (
    <li className={`flex min-h-[25px] items-center gap-3 px-5 ${isEnd ? 'bg-canvas font-semibold' : ''}`}>
      <Icon of={icon} size={14} className="flex-none text-muted" />
      <span className="w-16 flex-none font-normal text-muted">{word}</span>
      <span className="min-w-0 flex-1 break-words">{text}</span>
      <span className="flex-none font-mono text-12">{at}</span>
      <span className="w-16 flex-none text-right font-mono text-12 font-normal text-muted">
        {before === 0 ? '0.0 s' : `−${(before / 1000).toFixed(1)} s`}
      </span>
    </li>
  )
}

/** Whatever shape it has; what is no step is left out. */
function stepsOf(value: unknown): Step[] {
  if (!Array.isArray(value)) return []
  return value
    .filter(
      (one): one is Step =>
        typeof one === 'object' &&
        one !== null &&
        typeof one.at === 'number' &&
        typeof one.kind === 'string' &&
        typeof one.text === 'string',
    )
    .sort((a, b) => a.at - b.at)
}

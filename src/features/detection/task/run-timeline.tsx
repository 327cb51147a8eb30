import type { DynamicResult } from '#contracts/detection/dynamic-result.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { dynamicTexts } from './dynamic-texts.ts'

type Tick = { at: number; what: string; tone: 'bad' | 'warn' | 'brand' }
const TONES = { bad: 'bg-bad', warn: 'bg-warn', brand: 'bg-brand' }

export const secondsOf = (at: number): string => `${(at / 1000).toFixed(1)} s`

/** The run from start to end in one picture: what happened when, and how long there was no input. The tables below list the same. */
export function RunTimeline({ seen }: { seen: DynamicResult }) {
  const t = useTexts(dynamicTexts)
  const language = useLanguage()
  const length = Math.max(1, seen.run.length)
  const untouched = Math.min(1, (seen.run.firstInput ?? length) / length)
  const rows: [string, Tick[]][] = [
    [
      t('uses'),
      seen.uses.flatMap(({ personal, first, name, beforeInput }) =>
        personal && first !== null
          ? [{ at: first, what: name[language], tone: beforeInput ? ('bad' as const) : ('brand' as const) }]
          : [],
      ),
    ],
    [
      t('destinations'),
      seen.destinations
        .filter(({ where }) => where !== 'local')
        .map(({ first, host, address, port, where, cleartext }) => ({
          at: first,
          what: `${host ?? address}:${port}`,
          tone: where === 'abroad' || cleartext ? ('warn' as const) : ('brand' as const),
        })),
    ],
    [
      t('incidents'),
      seen.incidents.map(({ at, kind, headline }) => ({
        at,
        what: headline,
        tone: kind === 'strict_mode' ? ('warn' as const) : ('bad' as const),
      })),
    ],
    [
      t('dialogs'),
      seen.moments
        .filter(({ kind }) => kind === 'permission_dialog')
        .map(({ at }) => ({ at, what: t('permission_dialog'), tone: 'brand' as const })),
    ],
  ]
  return (
    <div aria-hidden className="relative">
      {rows
        .filter(([, ticks]) => ticks.length > 0)
        .map(([name, ticks]) => (
          <div key={name} className="flex h-8 items-center gap-3">
            <span className="text-clip-line w-[148px] flex-none text-12 text-muted max-lg:w-[96px]">{name}</span>
            <span className="relative h-5 flex-1 overflow-hidden rounded-small border">
              <span className="absolute inset-y-0 left-0 bg-neutral" style={{ width: `${100 * untouched}%` }} />
              {ticks.map((tick, index) => (
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: two ticks may be alike in everything
                  key={index}
                  title={`${secondsOf(tick.at)} ${tick.what}`}
                  className={`absolute inset-y-0.5 w-[3px] rounded-[1px] ${TONES[tick.tone]}`}
                  style={{ left: `calc(${Math.min(100, (100 * tick.at) / length)}% - ${tick.at >= length ? 4 : 0}px)` }}
                />
              ))}
            </span>
          </div>
        ))}
      <div className="flex gap-3 text-12 text-muted tabular-nums">
        <span className="w-[148px] flex-none max-lg:w-[96px]" />
        <span className="relative h-5 flex-1">
          <span className="absolute left-0">0</span>
          {untouched > 0.12 && untouched < 0.85 && (
            <span className="absolute -translate-x-1/2 whitespace-nowrap" style={{ left: `${100 * untouched}%` }}>
              {t('first_input')} {secondsOf(seen.run.firstInput ?? 0)}
            </span>
          )}
          <span className="absolute right-0">{secondsOf(seen.run.length)}</span>
        </span>
      </div>
    </div>
  )
}

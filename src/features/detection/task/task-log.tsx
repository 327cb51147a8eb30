import { useEffect, useRef } from 'react'
import type { TaskLogLine } from '#contracts/http/detection/tasks.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { taskPageTexts } from './task-texts.ts'

const COLORS = { info: '', warning: 'text-warn-text', error: 'text-bad-text' } as const
const NEAR_END_PX = 40

/** The lines of a task's log; it follows the end unless somebody has scrolled up to read. */
export function TaskLog({ lines, ended = false }: { lines: readonly TaskLogLine[]; ended?: boolean }) {
  const t = useTexts(taskPageTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const box = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line is what moves the view
  useEffect(() => {
    if (follows.current && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [lines.length])
  return (
    <div
      ref={box}
      role="log"
      aria-label={t('log')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long log must be scrollable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: it }) => {
        follows.current = it.scrollHeight - it.scrollTop - it.clientHeight < NEAR_END_PX
      }}
      className="max-h-96 min-h-40 overflow-auto rounded border bg-code px-3 py-2 font-mono text-12/5"
    >
      {lines.length === 0 && <p className="text-muted">{t(ended ? 'logEmpty' : 'logNone')}</p>}
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end
        <p key={index} className={`[overflow-wrap:anywhere] ${COLORS[line.level]}`}>
          <span className="text-muted">{formatDateTime(line.at, zone, 'time')}</span> {line.text[language]}
        </p>
      ))}
    </div>
  )
}

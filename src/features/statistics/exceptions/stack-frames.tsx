import { ChevronDown, ChevronRight, UnfoldVertical } from 'lucide-react'
import { useState } from 'react'
import type { StackFrame, StackSegment } from '#contracts/http/exceptions.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { exceptionTexts } from './exception-texts.ts'
import { positionOf, stackLines } from './stack-lines.ts'

const ROW = 'flex min-h-[25px] w-full items-center gap-2 border-l-2 pr-5 pl-4 text-left font-mono text-12'

/** One exception of a chain: what it says, its frames, and which of them are left out. */
export function StackFrames({
  segment,
  isFirst,
  folded,
}: {
  segment: StackSegment
  isFirst: boolean
  folded: boolean
}) {
  const t = useTexts(exceptionTexts)
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const { relation, type, message, omitted } = segment
  const open = (at: number) => setOpened((before) => new Set(before).add(at))
  return (
    <div>
      {(!isFirst || relation === 'thread') && (
        <h3 className="mt-2 flex items-baseline gap-2 px-5 py-1 text-13">
          <span className="text-12 whitespace-nowrap text-muted">
            {t(relation === 'thread' ? 'thread' : relation === 'suppressed' ? 'suppressed' : 'caused')}
          </span>
          <span className="min-w-0 font-semibold break-words">
            {type}
            {message && <span className="font-normal">: {message}</span>}
          </span>
        </h3>
      )}
      <ol>
        {stackLines(segment, folded).flatMap((line) => {
          if (line.kind === 'frame') return [<FrameLine key={line.at} at={line.at} frame={line.frame} />]
          if (!opened.has(line.from))
            return [
              <li key={line.from}>
                <button
                  type="button"
                  className={`${ROW} border-transparent hover:bg-hover`}
                  onClick={() => open(line.from)}
                >
                  <span className="w-8" />
                  <Icon of={UnfoldVertical} size={12} className="text-muted" />
                  <span className="font-sans text-muted">{t('folded', { count: line.to - line.from + 1 })}</span>
                  <span className="text-clip-line min-w-0 flex-1 text-muted">{line.packages.join(', ')}</span>
                  <span className="text-muted">
                    #{line.from} – #{line.to}
                  </span>
                </button>
              </li>,
            ]
          return Array.from({ length: line.to - line.from + 1 }, (_, index) => line.from + index).map((at) => (
            <FrameLine key={at} at={at} frame={segment.frames[at] as StackFrame} />
          ))
        })}
      </ol>
      {omitted > 0 && <p className="px-5 pl-14 text-12 text-muted">{t('more', { count: omitted })}</p>}
    </div>
  )
}

function FrameLine({ at, frame }: { at: number; frame: StackFrame }) {
  const t = useTexts(exceptionTexts)
  const [isOpen, setOpen] = useState(frame.own && frame.context !== null)
  const { context } = frame
  const dot = frame.language === 'java' ? '.' : ' '
  const module = frame.language === 'java' ? frame.module : frame.module.slice(frame.module.lastIndexOf('/') + 1)
  const content = (
    <>
      <span className="w-8 flex-none text-right text-muted">{at}</span>
      <span className={`min-w-0 flex-1 break-all ${frame.own ? '' : 'text-muted'}`} title={frame.raw}>
        {frame.name || module ? (
          <>
            {frame.language === 'js' ? '' : module}
            {frame.language === 'js' ? '' : frame.name && dot}
            <span className={frame.own ? 'font-bold' : ''}>
              {frame.name || (frame.language === 'js' ? module : '')}
            </span>
          </>
        ) : (
          frame.raw
        )}
      </span>
      {frame.inlined && <Chip tone="neutral">{t('inlined')}</Chip>}
      <span className="flex-none text-muted max-sm:hidden">{positionOf(frame)}</span>
      {frame.own && <Chip>{t('own')}</Chip>}
      {context && <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} className="flex-none text-muted" />}
    </>
  )
  const look = `${ROW} ${frame.own ? 'border-brand bg-selected' : 'border-transparent'}`
  return (
    <li>
      {context ? (
        <button type="button" aria-expanded={isOpen} className={look} onClick={() => setOpen(!isOpen)}>
          {content}
        </button>
      ) : (
        <div className={look}>{content}</div>
      )}
      {context && isOpen && (
        <pre className="overflow-x-auto bg-code py-1 font-mono text-12/5">
          {context.lines.map((line, index) => {
            const number = context.from + index
            const hit = number === frame.line
            return (
              <span
                key={number}
                className={`block border-l-2 pr-5 pl-4 ${hit ? 'border-text bg-neutral' : 'border-transparent'}`}
              >
                <span className="inline-block w-8 text-right text-muted">{number}</span>
                {'  '}
                {line}
              </span>
            )
          })}
        </pre>
      )}
    </li>
  )
}

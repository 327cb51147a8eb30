import { type Ref, useImperativeHandle, useRef } from 'react'
import type { ChannelPreview } from '#contracts/http/reinforce-channels.ts'

type Errors = ChannelPreview['errors']
export type ChannelEditorHandle = {
  /** Puts the cursor on an item of a line, from 1, and brings it into sight. */
  goTo: (line: number, item: number) => void
}

/** Where the items of a line begin and end. */
function itemsOf(line: string): { from: number; to: number }[] {
  const items: { from: number; to: number }[] = []
  let from = 0
  for (const item of line.split(',')) {
    items.push({ from, to: from + item.length })
    from += item.length + 1
  }
  return items
}

/** What of a line is underlined; an empty item is the comma before it. */
function spanOf(line: string, item: number): { from: number; to: number } {
  const { from, to } = itemsOf(line)[item - 1] ?? { from: 0, to: line.length }
  return line.slice(from, to).trim() === '' ? { from: Math.max(0, from - 1), to: Math.max(to, 1) } : { from, to }
}

/**
 * An import file as text with line numbers. Wrong lines are tinted and their wrong items underlined; the marks lie behind a plain text field, so
 * that selection, undo and readers work as in any other.
 */
export function ChannelEditor({
  label,
  value,
  onChange,
  errors,
  handle,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  errors: Errors
  handle: Ref<ChannelEditorHandle>
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const lines = value.split(/\r\n|\r|\n/)
  useImperativeHandle(
    handle,
    () => ({
      goTo(line, item) {
        const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0)
        const { from, to } = spanOf(lines[line - 1] ?? '', item)
        field.current?.focus()
        field.current?.setSelectionRange(before + from, before + to)
        const mark = scroller.current?.querySelector<HTMLElement>(`[data-line="${line}"]`)
        mark?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      },
    }),
    [lines],
  )
  return (
    <div
      ref={scroller}
      className="max-h-56 min-h-24 overflow-auto rounded border border-line-strong bg-code focus-within:border-brand"
    >
      <div className="grid w-max min-w-full grid-cols-[auto_minmax(0,1fr)] py-1.5 font-mono text-12/5">
        <div aria-hidden className="sticky left-0 z-10 bg-code text-right text-muted select-none">
          {lines.map((_, i) => {
            const isWrong = errors.some(({ line }) => line === i + 1)
            return (
              <div
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
                key={i}
                className={`min-w-9 border-l-2 pr-2.5 pl-2 ${isWrong ? 'border-bad bg-bad-soft text-bad-text' : 'border-transparent'}`}
              >
                {i + 1}
              </div>
            )
          })}
        </div>
        <div className="relative min-w-0">
          <div aria-hidden className="pr-4 whitespace-pre text-transparent">
            {lines.map((line, i) => {
              const wrong = errors.filter((one) => one.line === i + 1)
              return (
                <div
                  // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
                  key={i}
                  data-line={i + 1}
                  className={wrong.length ? 'bg-bad-soft' : ''}
                >
                  <MarkedLine line={line} spans={wrong.map(({ item }) => spanOf(line, item))} />
                </div>
              )
            })}
          </div>
          <textarea
            ref={field}
            aria-label={label}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            wrap="off"
            spellCheck={false}
            autoComplete="off"
            className="absolute inset-0 size-full resize-none overflow-hidden bg-transparent whitespace-pre text-text outline-none"
          />
        </div>
      </div>
    </div>
  )
}

function MarkedLine({ line, spans }: { line: string; spans: readonly { from: number; to: number }[] }) {
  const parts = []
  let at = 0
  for (const { from, to } of spans) {
    if (from < at) continue
    parts.push(line.slice(at, from))
    parts.push(
      <span key={from} className="border-b-2 border-bad">
        {line.slice(from, to)}
      </span>,
    )
    at = to
  }
  parts.push(line.slice(at))
  return line ? parts : '\u200b'
}

import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ShownMethod } from '#contracts/http/reinforce-tasks.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { changedLines } from './changed-lines.ts'
import { resultTexts } from './result-texts.ts'

/** One method of the package and what was made of it, instruction by instruction; lines that only one side has are marked. */
export function MethodView({ methods }: { methods: readonly ShownMethod[] }) {
  const t = useTexts(resultTexts)
  const [at, setAt] = useState(0)
  const index = Math.min(at, methods.length - 1)
  const one = methods[index]
  const marks = useMemo(() => one && changedLines(one.before, one.after), [one])
  if (!one || !marks) return null
  return (
    <Section
      plain
      title={t('methodsTitle')}
      actions={
        methods.length > 1 && (
          <>
            <Select
              hideLabel
              size="small"
              label={t('method')}
              className="w-72 max-w-full"
              value={String(index)}
              onChange={(id) => setAt(Number(id))}
              items={methods.map(({ method }, number) => ({ id: String(number), label: shortMethod(method) }))}
            />
            <IconButton
              size="small"
              label={t('previous')}
              icon={ChevronLeft}
              isDisabled={index === 0}
              onPress={() => setAt(index - 1)}
            />
            <span className="text-12 text-muted tabular-nums">
              {t('methodOf', { at: index + 1, all: methods.length })}
            </span>
            <IconButton
              size="small"
              label={t('next')}
              icon={ChevronRight}
              isDisabled={index >= methods.length - 1}
              onPress={() => setAt(index + 1)}
            />
          </>
        )
      }
      bodyClassName="px-5 pb-4"
    >
      <p className="pb-2 font-mono text-12 text-muted [overflow-wrap:anywhere]">{one.method}</p>
      <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
        <Code
          title={t('before', { count: one.before.length })}
          note={t('gone', { count: marks.gone.filter(Boolean).length })}
          lines={one.before}
          marked={marks.gone}
          tone="bad"
        />
        <Code
          title={t('after', { count: one.after.length })}
          note={t('fresh', { count: marks.fresh.filter(Boolean).length })}
          lines={one.after}
          marked={marks.fresh}
          tone="good"
        />
      </div>
    </Section>
  )
}

/** `pay.Signer.sign` of `com.canglan.pay.Signer.sign(…)`: class and method, for a list that has little room. */
function shortMethod(method: string): string {
  const name = method.split('(')[0] ?? method
  return name
    .split(/[./;]|->|#/)
    .filter(Boolean)
    .slice(-3)
    .join('.')
}

const TONES = {
  bad: 'bg-bad-soft shadow-[inset_2px_0_var(--bad)]',
  good: 'bg-good-soft shadow-[inset_2px_0_var(--good)]',
}

function Code({
  title,
  note,
  lines,
  marked,
  tone,
}: {
  title: string
  note: string
  lines: readonly string[]
  marked: readonly boolean[]
  tone: keyof typeof TONES
}) {
  const t = useTexts(resultTexts)
  return (
    <figure className="min-w-0">
      <figcaption className="flex gap-2 pb-1 text-12 text-muted">
        <span>{title}</span>
        <span className={`ml-auto ${tone === 'bad' ? 'text-bad-text' : 'text-good-text'}`}>{note}</span>
      </figcaption>
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard
        tabIndex={0}
        className="max-h-96 overflow-auto rounded border bg-code py-1.5 font-mono text-12/[19px] [font-variant-ligatures:none]"
      >
        {lines.length === 0 && <p className="px-3 text-muted">{t('empty')}</p>}
        <div className="min-w-max">
          {lines.map((line, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            <div key={number} className={`flex gap-3 pr-3 ${marked[number] ? TONES[tone] : ''}`}>
              <span aria-hidden className="w-9 flex-none text-right text-muted select-none">
                {number + 1}
              </span>
              <pre>{line || ' '}</pre>
            </div>
          ))}
        </div>
      </div>
    </figure>
  )
}

import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { SCRIPT_PRESETS, type ScriptFunction, type ScriptPreset } from '#contracts/http/js-protection.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { jsTexts } from './js-texts.ts'

/** One function of the uploaded code and what the chosen preset makes of it. */
export function FunctionPreview({ functions, preset }: { functions: readonly ScriptFunction[]; preset: ScriptPreset }) {
  const t = useTexts(jsTexts)
  const language = useLanguage()
  const [at, setAt] = useState(0)
  const index = Math.min(at, functions.length - 1)
  const one = functions[index]
  if (!one)
    return (
      <Section plain title={t('functionTitle')}>
        <p className="px-5 pb-4 text-12 text-muted">{t('noFunctions')}</p>
      </Section>
    )
  const after = one.after[preset]
  return (
    <Section
      plain
      title={t('functionTitle')}
      note={
        <Select
          hideLabel
          size="small"
          label={t('function')}
          className="w-52"
          value={String(index)}
          onChange={(id) => setAt(Number(id))}
          items={functions.map(({ name, line }, number) => ({ id: String(number), label: name, note: String(line) }))}
        />
      }
      actions={
        <>
          {after && (
            <span className="text-12 text-muted tabular-nums">
              {t('sizes', { before: formatBytes(new Blob([one.before]).size), after: formatBytes(after.size) })}
            </span>
          )}
          <IconButton
            size="small"
            label={t('previous')}
            icon={ChevronLeft}
            isDisabled={index === 0}
            onPress={() => setAt(index - 1)}
          />
          <IconButton
            size="small"
            label={t('next')}
            icon={ChevronRight}
            isDisabled={index >= functions.length - 1}
            onPress={() => setAt(index + 1)}
          />
        </>
      }
      bodyClassName="gap-3 px-5 pb-4"
    >
      <Code title={`${t('before')} · ${one.file}`} text={one.before} from={one.line} />
      {after === null ? (
        <p className="text-12 text-muted">{t('noAfter')}</p>
      ) : (
        after && (
          <Code
            title={t('after', { preset: SCRIPT_PRESETS[preset][language] })}
            text={after.code}
            note={new Blob([after.code]).size < after.size ? t('cut') : ''}
          />
        )
      )}
    </Section>
  )
}

/** Code as it is; with line numbers where `from` is the first of them. */
function Code({ title, text, from, note = '' }: { title: string; text: string; from?: number; note?: string }) {
  return (
    <figure className="min-w-0">
      <figcaption className="flex gap-2 pb-1 text-12 text-muted">
        <span className="text-clip-line">{title}</span>
        {note && <span className="ml-auto flex-none">{note}</span>}
      </figcaption>
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard
        tabIndex={0}
        className="max-h-64 overflow-auto rounded border bg-code px-3 py-2 font-mono text-12/[19px] [font-variant-ligatures:none]"
      >
        {from === undefined ? (
          <pre className="break-all whitespace-pre-wrap">{text}</pre>
        ) : (
          text.split('\n').map((line, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            <div key={number} className="flex gap-3">
              <span aria-hidden className="w-8 flex-none text-right text-muted select-none">
                {from + number}
              </span>
              <pre className="min-w-0">{line || ' '}</pre>
            </div>
          ))
        )}
      </div>
    </figure>
  )
}

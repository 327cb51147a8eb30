import { Regex } from 'lucide-react'
import { useState } from 'react'
import { WORD_FORMS } from '#contracts/http/sensitive-words.ts'
import { type PatternTrial, toolPattern } from '#contracts/http/tools.ts'
import { TOOL_LIMITS } from '#contracts/tool-limits.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toolsTexts } from './tools-texts.ts'

/** Tries an expression of own rules, or sensitive words, on a text. */
export function PatternTab() {
  const t = useTexts(toolsTexts)
  const [kind, setKind] = useState<'pattern' | 'words'>('pattern')
  const [expression, setExpression] = useState('')
  const [isCaseIgnored, setCaseIgnored] = useState(false)
  const [words, setWords] = useState('')
  const [text, setText] = useState('')
  /** The text that the matches belong to. */
  const [tried, setTried] = useState('')
  const trial = useAction(toolPattern, { quiet: true })
  const list = [...new Set(words.split('\n').map((one) => one.trim()))].filter(Boolean)
  const isTooMany = list.length > TOOL_LIMITS.words || list.some((one) => one.length > 64)
  const mayRun =
    text.length <= TOOL_LIMITS.text &&
    !trial.isPending &&
    (kind === 'pattern' ? expression !== '' : list.length > 0 && !isTooMany)
  function run(): void {
    if (!mayRun) return
    setTried(text)
    trial.mutate({
      body: kind === 'pattern' ? { kind, expression, ignore_case: isCaseIgnored, text } : { kind, words: list, text },
    })
  }
  return (
    <div className="grid lg:grid-cols-2">
      <form
        className="flex min-w-0 flex-col gap-3 px-5 py-4"
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        <SegmentedControl
          label={t('patternKind')}
          value={kind}
          items={[
            { id: 'pattern', label: t('expression') },
            { id: 'words', label: t('words') },
          ]}
          onChange={(next) => {
            setKind(next)
            trial.reset()
          }}
        />
        {kind === 'pattern' ? (
          <>
            <TextField
              label={t('expression')}
              note={t('expressionNote')}
              value={expression}
              onChange={setExpression}
              maxLength={TOOL_LIMITS.expression}
              mono
            />
            <Checkbox isSelected={isCaseIgnored} onChange={setCaseIgnored}>
              {t('ignoreCase')}
            </Checkbox>
          </>
        ) : (
          <TextField
            label={t('words')}
            note={t('wordsNote', { most: TOOL_LIMITS.words })}
            error={isTooMany ? t('wordsTooMany', { most: TOOL_LIMITS.words }) : undefined}
            rows={5}
            value={words}
            onChange={setWords}
          />
        )}
        <TextField
          label={t('text')}
          note={t('textNote', { number: formatExact(text.length), most: formatExact(TOOL_LIMITS.text) })}
          error={text.length > TOOL_LIMITS.text ? t('textTooLong') : undefined}
          rows={10}
          value={text}
          onChange={setText}
          mono
        />
        <div>
          <Button type="submit" variant="primary" isDisabled={!mayRun}>
            {t('tryNow')}
          </Button>
        </div>
      </form>
      <section
        aria-live="polite"
        aria-label={t('matches')}
        aria-busy={trial.isPending}
        className="flex min-w-0 flex-col border-l max-lg:border-t max-lg:border-l-0"
      >
        {trial.isPending ? (
          <Skeleton lines={6} className="p-5" />
        ) : trial.error ? (
          <ErrorState error={trial.error} title={t('failed')} onRetry={run} />
        ) : trial.data ? (
          <Matches trial={trial.data.data} text={tried} />
        ) : (
          <EmptyState kind="none" icon={Regex} title={t('pattern')} hint={t('patternWait')} />
        )}
      </section>
    </div>
  )
}

function Matches({ trial, text }: { trial: PatternTrial; text: string }) {
  const t = useTexts(toolsTexts)
  const language = useLanguage()
  if (trial.error)
    return (
      <EmptyState
        kind="missing"
        title={t('badExpression', { position: trial.error.position + 1 })}
        hint={trial.error.text[language]}
      />
    )
  return (
    <>
      <p className="px-5 pt-4 pb-1 font-semibold" data-testid="match-total" data-value={trial.total}>
        {t('matchCount', { count: trial.total })}
        <span className="pl-3 text-12 font-normal text-muted">
          {[
            trial.states > 0 && t('states', { number: formatExact(trial.states) }),
            t('took', { ms: trial.milliseconds.toFixed(1) }),
            trial.total > trial.matches.length && t('firstMatches', { count: trial.matches.length }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard
        tabIndex={0}
        className="mx-5 my-2 max-h-80 overflow-auto rounded border bg-code px-3 py-2 text-12/[18px] whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {pieces(text, trial.matches).map(({ at, part, hit }) =>
          hit ? (
            <mark key={at} className="rounded-small bg-warn-soft text-warn-text">
              {part === '' ? '·' : part}
            </mark>
          ) : (
            part
          ),
        )}
      </pre>
      {trial.matches.length > 0 && (
        <ol className="px-5 pb-4 text-12">
          {trial.matches.slice(0, 50).map((one) => (
            <li key={`${one.from} ${one.to} ${one.word}`} className="flex flex-wrap gap-x-3 border-t py-1.5">
              <span className="w-24 flex-none text-muted">{`${one.from} – ${one.to}`}</span>
              <code className="min-w-0 [overflow-wrap:anywhere]">
                {text.slice(one.from, one.to) || t('emptyMatch')}
              </code>
              {one.word && (
                <span className="text-muted">
                  {one.word} · {WORD_FORMS[one.form as keyof typeof WORD_FORMS]?.[language] ?? one.form}
                </span>
              )}
              {one.groups.map((group, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: brackets by their number
                <span key={at} className="text-muted">
                  {`$${at + 1} `}
                  <code>{group ?? '-'}</code>
                </span>
              ))}
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

/** The text in pieces, those that match apart; matches that overlap count once. */
function pieces(text: string, matches: PatternTrial['matches']): { at: number; part: string; hit: boolean }[] {
  const found: { at: number; part: string; hit: boolean }[] = []
  let at = 0
  for (const { from, to } of [...matches].sort((a, b) => a.from - b.from)) {
    if (from < at) continue
    if (from > at) found.push({ at: at - 0.5, part: text.slice(at, from), hit: false })
    found.push({ at: from, part: text.slice(from, to), hit: true })
    at = to
  }
  found.push({ at: text.length + 0.5, part: text.slice(at), hit: false })
  return found
}

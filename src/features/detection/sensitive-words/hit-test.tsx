import { FileText, ScanText } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { tryWords, WORD_FORMS, WORD_LIMITS } from '#contracts/http/sensitive-words.ts'
import { decodeText } from '#src/features/detection/parts/decode-text.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { wordsTexts } from './words-texts.ts'

const AROUND = 20
type Hit = ResponseOf<typeof tryWords>['data'][number]

/** What a detection would find in a text or a file, with the disguise that was seen through. */
export function HitTest() {
  const t = useTexts(wordsTexts)
  const [text, setText] = useState('')
  /** The text that the hits belong to. */
  const [tested, setTested] = useState('')
  const [error, setError] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const test = useAction(tryWords)
  function run(content: string): void {
    const tooLong = content.length > WORD_LIMITS.text
    setError(tooLong ? t('testTooLarge') : '')
    if (tooLong || !content.trim()) return
    setTested(content)
    test.mutate({ body: { text: content } })
  }
  async function choose(picked: File | undefined): Promise<void> {
    if (!picked) return
    const content = decodeText(new Uint8Array(await picked.arrayBuffer()))
    if (content === undefined) {
      setError(t('notText'))
      return
    }
    setText(content.slice(0, WORD_LIMITS.text))
    run(content)
  }
  const hits = test.data?.data
  return (
    <div className="flex flex-1 border-t max-lg:flex-col">
      <form
        className="flex w-2/5 flex-none flex-col gap-3 border-r p-5 max-lg:w-full max-lg:border-r-0 max-lg:border-b max-lg:p-4"
        onSubmit={(event) => {
          event.preventDefault()
          run(text)
        }}
      >
        <TextField
          label={t('testText')}
          value={text}
          onChange={setText}
          rows={14}
          note={t('testHint')}
          error={error || undefined}
        />
        <div className="flex gap-2">
          <Button type="submit" variant="primary" icon={ScanText} isDisabled={!text.trim() || test.isPending}>
            {t('run')}
          </Button>
          <input
            ref={input}
            type="file"
            aria-label={t('testFile')}
            className="sr-only"
            onChange={({ target }) => {
              void choose(target.files?.[0])
              target.value = ''
            }}
          />
          <Button icon={FileText} onPress={() => input.current?.click()}>
            {t('testFile')}
          </Button>
        </div>
      </form>
      <section aria-live="polite" aria-busy={test.isPending} className="min-w-0 flex-1 p-5 max-lg:p-4">
        {hits && test.data && hits.length > 0 && (
          <>
            <p className="pb-2 font-semibold" data-testid="hit-total" data-value={test.data.total}>
              {t('hits', { count: test.data.total })}
              {test.data.total > hits.length && (
                <span className="pl-2 text-12 font-normal text-muted">{t('firstHits')}</span>
              )}
            </p>
            <Hits hits={hits} text={tested} />
          </>
        )}
        {hits?.length === 0 && <EmptyState kind="filtered" title={t('noHits')} hint={t('noHitsHint')} />}
        {!hits && !test.isPending && <EmptyState kind="none" icon={ScanText} title={t('test')} hint={t('testWait')} />}
      </section>
    </div>
  )
}

function Hits({ hits, text }: { hits: readonly Hit[]; text: string }) {
  const t = useTexts(wordsTexts)
  const language = useLanguage()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable by keyboard
    <section className="overflow-x-auto" aria-label={t('test')} tabIndex={0}>
      <table className="w-full border-collapse">
        <thead>
          <tr className="h-8 border-b text-left text-12 text-muted">
            {[t('word'), t('group'), t('form'), t('context')].map((head) => (
              <th key={head} scope="col" className="px-2 font-normal whitespace-nowrap first:pl-0">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hits.map((hit) => (
            <tr key={`${hit.from} ${hit.to} ${hit.word} ${hit.group.zh}`} className="h-9 border-b align-baseline">
              <td className="pr-2 font-semibold whitespace-nowrap">{hit.word}</td>
              <td className="px-2 whitespace-nowrap">{hit.group[language]}</td>
              <td className="px-2">
                <Chip tone={hit.form === 'as_written' ? 'neutral' : 'warn'}>{WORD_FORMS[hit.form][language]}</Chip>
              </td>
              <td className="px-2 break-all">
                <span className="text-muted">{text.slice(Math.max(0, hit.from - AROUND), hit.from)}</span>
                <mark className="rounded-small bg-warn-soft px-0.5 text-warn-text">{text.slice(hit.from, hit.to)}</mark>
                <span className="text-muted">{text.slice(hit.to, hit.to + AROUND)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

import { useState } from 'react'
import { changeWords, sensitiveWords, type WordList, wordGroups } from '#contracts/http/sensitive-words.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { TableFoot } from '#src/shared/table/table-tools.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { Problems } from './problems.tsx'
import { wordsTexts } from './words-texts.ts'

const PAGE_SIZE = 200
const FIND_ID = 'word-find'

/** The words of one list: found, added (several at once), taken out with undo. */
export function WordsOfList({ list }: { list: WordList }) {
  const t = useTexts(wordsTexts)
  const language = useLanguage()
  const { params, setParams } = useAddress()
  const [typed, setTyped] = useState('')
  const find = (params.get('find') ?? '').slice(0, 50)
  const page = Math.max(1, Number(params.get('page')) || 1)
  const answer = useEndpoint(
    sensitiveWords,
    { query: { group: list.id, search: find, offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE } },
    { placeholderData: (before) => before },
  )
  const change = useAction(changeWords, { refreshes: [sensitiveWords, wordGroups] })
  useActions([
    {
      id: 'words.find',
      label: t('find'),
      group: t('words'),
      keys: '/',
      run: () => document.getElementById(FIND_ID)?.focus(),
    },
  ])
  const add = (words: readonly string[]) => {
    if (words.length === 0) return
    change.mutate(
      { body: { group: list.id, add: [...words], remove: [] } },
      {
        onSuccess: ({ added, problems }) => {
          if (added) toast.success(t('added', { count: added }))
          if (!problems.length) setTyped('')
        },
      },
    )
  }
  const remove = (word: string) =>
    change.mutate(
      { body: { group: list.id, add: [], remove: [word] } },
      {
        onSuccess: () =>
          toast.info(t('removed', { word }), { action: { label: t('undo'), onPress: () => add([word]) } }),
      },
    )
  const split = () =>
    typed
      .split(/[\n,，、;；]+/)
      .map((one) => one.trim())
      .filter(Boolean)
      .slice(0, 1000)
  const words = answer.data?.data
  return (
    <section aria-label={list.name[language]} className="flex min-w-0 flex-1 flex-col">
      <header className="flex flex-wrap items-center gap-2 px-5 pt-3 max-lg:px-4">
        <h2 className="text-16 font-semibold">{list.name[language]}</h2>
        {list.built_in && <Chip tone="neutral">{t('builtIn')}</Chip>}
        {!list.enabled && <Chip tone="warn">{t('off')}</Chip>}
        <span className="text-12 text-muted">
          {t('count', { count: list.words })}
          {list.note && ` · ${list.note}`}
          {list.by && (
            <>
              {' · '}
              <RelativeTime at={list.updated_at} /> {list.by}
            </>
          )}
        </span>
        <span className="ml-auto">
          <SearchBox
            id={FIND_ID}
            label={t('find')}
            value={find}
            onSearch={(next) => setParams({ find: next || null, page: null }, true)}
          />
        </span>
      </header>
      <form
        className="flex items-start gap-2 px-5 py-3 max-lg:px-4"
        onSubmit={(event) => {
          event.preventDefault()
          add(split())
        }}
      >
        <TextField
          className="max-w-160 flex-1"
          label={t('addLabel')}
          hideLabel
          placeholder={t('addLabel')}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
        />
        <Button type="submit" isDisabled={change.isPending || split().length === 0}>
          {t('add')}
        </Button>
      </form>
      {change.data && change.data.problems.length > 0 && (
        <div className="px-5 pb-3 max-lg:px-4">
          <Problems problems={change.data.problems} total={change.data.problems.length} withLine={false} />
        </div>
      )}
      {answer.error && !words ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !words ? (
        <Skeleton lines={6} height="24px" className="px-5 py-3" />
      ) : words.length === 0 ? (
        find ? (
          <EmptyState
            kind="filtered"
            title={t('filtered', { find })}
            action={<Button onPress={() => setParams({ find: null, page: null })}>{t('clear')}</Button>}
          />
        ) : (
          <EmptyState kind="none" title={t('none')} hint={t('noneHint')} />
        )
      ) : (
        <>
          <ul className="flex flex-1 flex-wrap content-start gap-2 px-5 py-2 max-lg:px-4" aria-label={t('words')}>
            {words.map(({ word }) => (
              <li key={word}>
                <Chip tone="neutral" label={word} onRemove={() => remove(word)}>
                  <span className="text-text">{word}</span>
                </Chip>
              </li>
            ))}
          </ul>
          {(answer.data?.total ?? 0) > PAGE_SIZE && (
            <TableFoot
              page={page}
              pageSize={PAGE_SIZE}
              total={answer.data?.total ?? 0}
              onPage={(next) => setParams({ page: next > 1 ? String(next) : null })}
            />
          )}
        </>
      )}
    </section>
  )
}

import { Download, Plus, Upload } from 'lucide-react'
import { useState } from 'react'
import { exportWords, wordGroups } from '#contracts/http/sensitive-words.ts'
import { PAGES } from '#contracts/pages.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { HitTest } from './hit-test.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { ListDialog } from './list-dialog.tsx'
import { WordLists } from './word-lists.tsx'
import { WordsOfList } from './words-of-list.tsx'
import { wordsTexts } from './words-texts.ts'

/** /detection/sensitive_words: lists of words that detections look for, and a test of what they find. List, search and view: the address. */
export default function SensitiveWordsPage() {
  return (
    <PermittedPage page="sensitive_words" permission="rule.edit">
      <SensitiveWords />
    </PermittedPage>
  )
}

function SensitiveWords() {
  const t = useTexts(wordsTexts)
  const language = useLanguage()
  const { params, setParams } = useAddress()
  const [dialog, setDialog] = useState<'new' | 'import'>()
  const answer = useEndpoint(wordGroups)
  const lists = answer.data?.data
  const view = params.get('view') === 'test' ? 'test' : 'words'
  const chosen = lists?.find(({ id }) => id === params.get('list')) ?? lists?.[0]
  useActions([
    {
      id: 'words.new',
      label: t('newList'),
      group: PAGES.sensitive_words[language],
      keys: 'n',
      icon: Plus,
      run: () => setDialog('new'),
    },
    {
      id: 'words.import',
      label: t('import'),
      group: PAGES.sensitive_words[language],
      keys: 'i',
      icon: Upload,
      run: () => setDialog('import'),
    },
  ])
  const save = (format: 'csv' | 'txt', group: string) => location.assign(downloadHref(exportWords, { format, group }))
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={PAGES.sensitive_words[language]}
        note={
          answer.data && (
            <span data-testid="word-total" data-value={answer.data.total}>
              {t('note', {
                lists: answer.data.data.length,
                words: formatExact(answer.data.total),
                enabled: formatExact(answer.data.enabled),
              })}
            </span>
          )
        }
        actions={
          <>
            <SegmentedControl
              label={t('views')}
              value={view}
              onChange={(next) => setParams({ view: next === 'test' ? next : null })}
              items={[
                { id: 'words' as const, label: t('words') },
                { id: 'test' as const, label: t('test') },
              ]}
            />
            <Button icon={Upload} onPress={() => setDialog('import')}>
              {t('import')}
            </Button>
            <MenuButton
              label={t('export')}
              icon={Download}
              items={[
                { id: 'all', label: t('exportAll'), onAction: () => save('csv', '') },
                {
                  id: 'csv',
                  label: t('exportCsv'),
                  isDisabled: !chosen,
                  onAction: () => chosen && save('csv', chosen.id),
                },
                {
                  id: 'txt',
                  label: t('exportTxt'),
                  isDisabled: !chosen,
                  onAction: () => chosen && save('txt', chosen.id),
                },
              ]}
            />
            <Button variant="primary" icon={Plus} onPress={() => setDialog('new')}>
              {t('newList')}
            </Button>
          </>
        }
      />
      {view === 'test' ? (
        <HitTest />
      ) : answer.error && !lists ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !lists ? (
        <Skeleton lines={10} height="32px" className="px-5 py-3" />
      ) : (
        <div className="flex flex-1 border-t max-lg:flex-col">
          <WordLists
            lists={lists}
            chosen={chosen?.id ?? ''}
            onChoose={(list) => setParams({ list, find: null, page: null })}
          />
          {chosen && <WordsOfList key={chosen.id} list={chosen} />}
        </div>
      )}
      {dialog === 'new' && (
        <ListDialog
          onClose={() => setDialog(undefined)}
          onSaved={(list) => setParams({ list, view: null, find: null, page: null })}
        />
      )}
      {dialog === 'import' && (
        <ImportDialog lists={lists ?? []} into={chosen?.id ?? ''} onClose={() => setDialog(undefined)} />
      )}
    </div>
  )
}

import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { importWords, sensitiveWords, WORD_LIMITS, type WordList, wordGroups } from '#contracts/http/sensitive-words.ts'
import { decodeText } from '#src/features/detection/parts/decode-text.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { Problems } from './problems.tsx'
import { wordsTexts } from './words-texts.ts'

type Chosen = { name: string; content: string; format: 'txt' | 'csv' }

/** A file is looked through first: what would be added, which lines not and why; then it is imported. */
export function ImportDialog({
  lists,
  into,
  onClose,
}: {
  lists: readonly WordList[]
  into: string
  onClose: () => void
}) {
  const t = useTexts(wordsTexts)
  const language = useLanguage()
  const [file, setFile] = useState<Chosen>()
  const [group, setGroup] = useState(into)
  const [error, setError] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const look = useAction(importWords)
  const run = useAction(importWords, { refreshes: [wordGroups, sensitiveWords] })
  const bodyOf = (chosen: Chosen, list: string) => ({
    format: chosen.format,
    content: chosen.content,
    ...(chosen.format === 'txt' && { group: list }),
  })
  const preview = (chosen: Chosen, list: string) => look.mutate({ body: { ...bodyOf(chosen, list), dry: true } })
  async function choose(picked: File | undefined): Promise<void> {
    if (!picked) return
    setFile(undefined)
    look.reset()
    const text = decodeText(new Uint8Array(await picked.arrayBuffer()))
    const problem = text === undefined ? t('notText') : text.length > WORD_LIMITS.import ? t('tooLarge') : ''
    setError(problem)
    if (problem || text === undefined) return
    const chosen: Chosen = { name: picked.name, content: text, format: /\.csv$/i.test(picked.name) ? 'csv' : 'txt' }
    setFile(chosen)
    preview(chosen, group)
  }
  const found = look.data
  return (
    <Dialog
      title={t('importTitle')}
      isOpen
      onOpenChange={onClose}
      width={560}
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button
            variant="primary"
            isDisabled={!file || !found || found.added === 0 || look.isPending || run.isPending}
            onPress={() => {
              if (!file) return
              run.mutate(
                { body: { ...bodyOf(file, group), dry: false } },
                {
                  onSuccess: ({ added }) => {
                    toast.success(t('imported', { count: added }))
                    onClose()
                  },
                },
              )
            }}
          >
            {t('doImport', { count: found?.added ?? 0 })}
          </Button>
        </>
      }
    >
      <p className="pb-4 text-muted">{t('importNote')}</p>
      <section
        aria-label={t('chooseFile')}
        className="flex flex-wrap items-center gap-3 rounded border border-line-strong border-dashed p-4"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          void choose(event.dataTransfer.files[0])
        }}
      >
        <input
          ref={input}
          type="file"
          accept=".txt,.csv,text/plain,text/csv"
          aria-label={t('chooseFile')}
          className="sr-only"
          onChange={({ target }) => {
            void choose(target.files?.[0])
            target.value = ''
          }}
        />
        <Button icon={Upload} onPress={() => input.current?.click()}>
          {t('chooseFile')}
        </Button>
        <span className="min-w-0 text-clip-line text-muted">{file ? file.name : t('dropFile')}</span>
      </section>
      {error && (
        <p role="alert" className="pt-2 text-bad-text">
          {error}
        </p>
      )}
      {file?.format === 'txt' && (
        <div className="pt-4">
          <Select
            label={t('into')}
            value={group}
            onChange={(next) => {
              setGroup(next)
              preview(file, next)
            }}
            items={lists.map(({ id, name }) => ({ id, label: name[language] }))}
          />
        </div>
      )}
      {found && (
        <div className="space-y-2 pt-4">
          <p data-testid="import-preview">
            {t('preview', { added: found.added, lines: found.lines, problems: found.problem_count })}
          </p>
          {found.groups.length > 0 && (
            <p className="text-muted">{t('newLists', { names: found.groups.join(language === 'zh' ? '、' : ', ') })}</p>
          )}
          {found.problems.length > 0 && <Problems problems={found.problems} total={found.problem_count} />}
        </div>
      )}
    </Dialog>
  )
}

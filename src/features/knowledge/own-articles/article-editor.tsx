import { BookOpen, Ellipsis, History, Plus, Save, Send, Trash2, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import {
  OWN_ARTICLE_LIMITS,
  type ownArticle,
  ownArticle as ownArticleEndpoint,
  ownArticles,
  saveOwnArticle,
} from '#contracts/http/own-articles.ts'
import { PAGES } from '#contracts/pages.ts'
import { articlePath, ownArticlePath } from '#src/features/knowledge/parts/article-parts.tsx'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { errorMessage } from '#src/shared/ui/error-state.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { useStillShown } from '#src/shared/ui/use-still-shown.ts'
import { ArticleNotices, type RefusedPart } from './article-notices.tsx'
import { ArticlePreview } from './article-preview.tsx'
import { ArticleProperties } from './article-properties.tsx'
import { ownArticlesTexts } from './own-articles-texts.ts'
import { StateChip } from './state-chip.tsx'
import { TextEditor } from './text-editor.tsx'
import { useArticleActions } from './use-article-actions.ts'
import { EMPTY_TEXT, NEW, useArticleDraft } from './use-article-draft.ts'
import { useLeaveQuestion } from './use-leave-question.ts'
import { VersionsDialog } from './versions-dialog.tsx'

/** Of the text, to scroll to a line. */
const LINE_PX = 21

/** Text on the left, what readers see on the right; on narrow screens one of them. */
export function ArticleEditor({ opened }: { opened: ResponseOf<typeof ownArticle> | undefined }) {
  const t = useTexts(ownArticlesTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const isStillShown = useStillShown()
  const line = opened?.data
  const id = line?.id ?? NEW
  const draft = useArticleDraft(id, opened && { content: opened.content, version: opened.data.version }, language)
  const { content, isDirty } = draft
  const [shown, setShown] = useState<'zh' | 'en'>(content[language] ? language : content.zh ? 'zh' : 'en')
  const [view, setView] = useState<'write' | 'preview'>('write')
  const [isComparing, setComparing] = useState(false)
  const [refused, setRefused] = useState<readonly RefusedPart[]>([])
  const [goal, setGoal] = useState<number>()
  const field = useRef<HTMLTextAreaElement>(null)
  const text = content[shown]
  const title = content[language]?.title || content.zh?.title || content.en?.title || ''
  usePageSubject(title || t('newArticle'))
  const { pass } = useLeaveQuestion(isDirty, {
    ...{ title: t('leaveTitle'), text: t('leaveText'), action: t('leave') },
  })
  const { publish, withdraw, remove, isPending } = useArticleActions({
    onDeleted() {
      pass()
      void navigate(PAGES.own_articles.path)
    },
  })
  const saving = useAction(saveOwnArticle, {
    refreshes: [ownArticles, ownArticleEndpoint],
    quiet: true,
    onSuccess(saved, { body }) {
      if (body) draft.settle(body.content, saved.version)
      toast.success(t('saved', { version: saved.version }))
      if (line || !isStillShown()) return
      pass()
      void navigate(ownArticlePath(saved.id), { replace: true })
    },
    onError(error) {
      // The version that somebody else saved is named above the text, with what can be done.
      if (error.key !== 'data.conflict') toast.error(errorMessage(error))
    },
  })
  const isBusy = saving.isPending || isPending
  const isOutdated = draft.isOutdated && !saving.isPending
  const canSave = isDirty && title.trim() !== '' && !isBusy && !isOutdated
  const save = (basedOn = draft.basedOn) =>
    saving.mutateAsync({ body: { id: line?.id ?? null, based_on: basedOn, content } }).catch(() => undefined)
  const publishIt = async () => {
    if (!line) return
    const version = isDirty ? (await save())?.version : line.version
    if (version === undefined) return
    setRefused(await publish({ id: line.id, version }))
  }
  const setText = (part: Partial<typeof EMPTY_TEXT>) => draft.change({ [shown]: { ...(text ?? EMPTY_TEXT), ...part } })
  const dropText = async () => {
    const name = t(shown)
    const question = { title: t('dropTextTitle', { language: name }), text: t('dropTextText'), danger: true }
    if (!(await confirm({ ...question, action: t('dropText', { language: name }) }))) return
    draft.change({ [shown]: null })
    setShown(shown === 'zh' ? 'en' : 'zh')
  }
  const goTo = (lineNumber: number) => {
    setView('write')
    setGoal(lineNumber)
  }
  useEffect(() => {
    const area = field.current
    if (goal === undefined || !area) return
    setGoal(undefined)
    const lines = area.value.split('\n')
    const start = lines.slice(0, goal - 1).reduce((sum, one) => sum + one.length + 1, 0)
    area.focus()
    area.setSelectionRange(start, start + (lines[goal - 1]?.length ?? 0))
    area.scrollTop = Math.max(0, (goal - 5) * LINE_PX)
  }, [goal])
  useActions([
    {
      ...{ id: 'own-article.save', label: t('save'), group: PAGES.own_article[language], keys: 'Mod+s', icon: Save },
      run: () => canSave && void save(),
    },
  ])
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface max-xl:h-auto">
      <PageTitle
        title={<span className="[overflow-wrap:anywhere]">{title || t('newArticle')}</span>}
        note={
          <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
            {line && (
              <>
                <StateChip state={line.state} />
                <span>{t('versionNote', { version: line.version, author: line.author })}</span>
                <RelativeTime at={line.changed_at} />
              </>
            )}
            {isDirty && <Chip tone="warn">{t('unsaved')}</Chip>}
          </span>
        }
        actions={
          <>
            {line && opened && (
              <>
                <MenuButton
                  label={t('actions')}
                  icon={Ellipsis}
                  iconOnly
                  items={[
                    ...(line.published === null
                      ? []
                      : [
                          {
                            ...{ id: 'read', label: t('read'), icon: BookOpen },
                            onAction: () => void navigate(articlePath(line.id)),
                          },
                          { id: 'withdraw', label: t('withdraw'), icon: Undo2, onAction: () => void withdraw(line) },
                        ]),
                    {
                      ...{ id: 'delete', label: t('delete'), icon: Trash2, danger: true },
                      onAction: () => void remove(line),
                    },
                  ]}
                />
                <Button icon={History} onPress={() => setComparing(true)}>
                  {t('versions')}
                </Button>
                <Button
                  icon={Send}
                  isDisabled={isBusy || isOutdated || (line.state === 'published' && !isDirty)}
                  onPress={() => void publishIt()}
                >
                  {t('publish')}
                </Button>
              </>
            )}
            <Button variant="primary" icon={Save} isDisabled={!canSave} title="Ctrl+S" onPress={() => void save()}>
              {t('save')}
            </Button>
          </>
        }
      />
      <ArticleNotices
        conflict={
          isOutdated && line
            ? {
                ...{ version: line.version, based: draft.basedOn },
                onShow: () => setComparing(true),
                onKeep: () => void save(line.version),
                onDiscard: draft.discard,
              }
            : null
        }
        kept={draft.keptAt === null ? null : { at: draft.keptAt, onDiscard: draft.discard }}
        refused={refused}
        onRefused={(one) => {
          setShown(one.language)
          if (one.line > 0) goTo(one.line)
        }}
        onDismiss={() => setRefused([])}
      />
      <div className="flex flex-wrap items-center gap-3 border-t border-b px-5 py-2 max-lg:px-4">
        <SegmentedControl
          label={t('textOf')}
          value={shown}
          onChange={setShown}
          items={(['zh', 'en'] as const).map((one) => ({
            id: one,
            label: t(one),
            ...(!content[one] && { note: t('notWritten') }),
          }))}
        />
        {text && content[shown === 'zh' ? 'en' : 'zh'] && (
          <Button size="small" variant="quiet" onPress={() => void dropText()}>
            {t('dropText', { language: t(shown) })}
          </Button>
        )}
        <span className="ml-auto xl:hidden">
          <SegmentedControl
            label={t('view')}
            value={view}
            onChange={setView}
            items={[
              { id: 'write' as const, label: t('write') },
              { id: 'preview' as const, label: t('preview') },
            ]}
          />
        </span>
      </div>
      <div className="grid min-h-0 flex-1 grid-cols-2 max-xl:grid-cols-1">
        <div
          className={`flex min-h-0 flex-col gap-4 overflow-auto px-5 py-4 max-lg:px-4 ${view === 'write' ? '' : 'max-xl:hidden'}`}
        >
          <details className="flex-none rounded border px-3 py-2" open={line === undefined}>
            <summary className="cursor-pointer font-semibold">{t('properties')}</summary>
            <div className="pt-3 pb-1">
              <ArticleProperties content={content} onChange={draft.change} />
            </div>
          </details>
          {text ? (
            <>
              <TextField
                label={t('articleTitle')}
                value={text.title}
                onChange={(value) => setText({ title: value })}
                maxLength={OWN_ARTICLE_LIMITS.title}
                isRequired
              />
              <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
                <TextField
                  label={t('summary')}
                  note={t('summaryNote')}
                  rows={2}
                  value={text.summary}
                  onChange={(value) => setText({ summary: value })}
                  maxLength={OWN_ARTICLE_LIMITS.summary}
                />
                <TextField
                  label={t('words')}
                  note={t('wordsNote')}
                  rows={2}
                  value={text.words}
                  onChange={(value) => setText({ words: value })}
                  maxLength={OWN_ARTICLE_LIMITS.words}
                />
              </div>
              <TextEditor key={shown} field={field} value={text.body} onChange={(body) => setText({ body })} />
            </>
          ) : (
            <div className="py-8 text-center">
              <p className="mb-1 font-semibold">{t('noText', { language: t(shown) })}</p>
              <p className="mb-4 text-13 text-muted">{t('noTextHint')}</p>
              <Button icon={Plus} onPress={() => draft.change({ [shown]: EMPTY_TEXT })}>
                {t('writeText', { language: t(shown) })}
              </Button>
            </div>
          )}
        </div>
        <div
          // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard
          tabIndex={0}
          className={`min-h-0 overflow-auto border-l px-7 py-4 max-xl:border-l-0 max-lg:px-4 ${view === 'preview' ? '' : 'max-xl:hidden'}`}
        >
          {text ? (
            <ArticlePreview title={text.title} summary={text.summary} body={text.body} onLine={goTo} />
          ) : (
            <p className="text-muted">{t('previewNone')}</p>
          )}
        </div>
      </div>
      {isComparing && opened && (
        <VersionsDialog
          opened={opened}
          edited={isDirty ? content : null}
          onClose={() => setComparing(false)}
          onRestored={() => setComparing(false)}
        />
      )}
    </div>
  )
}

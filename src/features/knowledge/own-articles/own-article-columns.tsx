import { BookOpen, Ellipsis, FilePen, Send, Trash2, Undo2 } from 'lucide-react'
import { ARTICLE_KINDS, ARTICLE_TOPICS } from '#contracts/http/knowledge.ts'
import type { OwnArticleLine } from '#contracts/http/own-articles.ts'
import type { Language, Translate } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import type { ownArticlesTexts } from './own-articles-texts.ts'
import { StateChip } from './state-chip.tsx'

type Input = {
  t: Translate<keyof typeof ownArticlesTexts.entries & string>
  language: Language
  onEdit: (one: OwnArticleLine) => void
  onRead: (one: OwnArticleLine) => void
  onPublish: (one: OwnArticleLine) => void
  onWithdraw: (one: OwnArticleLine) => void
  onDelete: (one: OwnArticleLine) => void
}

/** What the list shows of an own article. */
export function ownArticleColumns({ t, language, ...on }: Input): Column<OwnArticleLine>[] {
  return [
    {
      id: 'title',
      header: t('title'),
      fixed: true,
      cell: (one) => (
        <span className="block max-w-120 py-1 max-sm:max-w-52">
          <span className="text-clip-line block font-semibold" title={one.title[language]}>
            {one.title[language]}
          </span>
          <span className="block font-mono text-12/4 text-muted">{one.id}</span>
        </span>
      ),
    },
    { id: 'state', header: t('state'), width: '130px', cell: (one) => <StateChip state={one.state} /> },
    { id: 'kind', header: t('kind'), width: '110px', wide: true, cell: (one) => ARTICLE_KINDS[one.kind][language] },
    {
      id: 'topic',
      header: t('topic'),
      width: '170px',
      wide: true,
      spare: true,
      cell: (one) => ARTICLE_TOPICS[one.topic][language],
    },
    {
      id: 'languages',
      header: t('languages'),
      width: '120px',
      wide: true,
      cell: (one) => one.languages.map((name) => t(name)).join(language === 'zh' ? '、' : ', '),
    },
    { id: 'version', header: t('version'), width: '72px', numeric: true, wide: true, cell: (one) => one.version },
    {
      id: 'changed',
      header: t('changed'),
      width: '200px',
      wide: true,
      cell: (one) => (
        <span className="block max-w-48 text-12/4">
          <span className="text-clip-line block" title={one.author}>
            {one.author}
          </span>
          <span className="block text-muted">
            <RelativeTime at={one.changed_at} />
          </span>
        </span>
      ),
    },
    {
      id: 'actions',
      header: '',
      width: '56px',
      fixed: true,
      cell: (one) => (
        <MenuButton
          label={t('actions')}
          icon={Ellipsis}
          iconOnly
          items={[
            { id: 'edit', label: t('open'), icon: FilePen, onAction: () => on.onEdit(one) },
            ...(one.published === null
              ? []
              : [{ id: 'read', label: t('read'), icon: BookOpen, onAction: () => on.onRead(one) }]),
            ...(one.state === 'published'
              ? []
              : [
                  {
                    id: 'publish',
                    label: t('publishOf', { version: one.version }),
                    icon: Send,
                    onAction: () => on.onPublish(one),
                  },
                ]),
            ...(one.published === null
              ? []
              : [{ id: 'withdraw', label: t('withdraw'), icon: Undo2, onAction: () => on.onWithdraw(one) }]),
            { id: 'delete', label: t('delete'), icon: Trash2, danger: true, onAction: () => on.onDelete(one) },
          ]}
        />
      ),
    },
  ]
}

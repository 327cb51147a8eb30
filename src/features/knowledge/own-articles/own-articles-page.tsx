import { CopyPlus, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { ARTICLE_KINDS, type ArticleKind } from '#contracts/http/knowledge.ts'
import { OWN_ARTICLE_STATES, type OwnArticleState, ownArticles } from '#contracts/http/own-articles.ts'
import { PAGES } from '#contracts/pages.ts'
import { articlePath, ownArticlePath } from '#src/features/knowledge/parts/article-parts.tsx'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { SearchableListPage } from '#src/shared/table/searchable-list-page.tsx'
import { useListState } from '#src/shared/table/use-list-state.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { CopyDialog } from './copy-dialog.tsx'
import { ownArticleColumns } from './own-article-columns.tsx'
import { ownArticlesTexts } from './own-articles-texts.ts'
import { useArticleActions } from './use-article-actions.ts'
import { NEW } from './use-article-draft.ts'

const FILTERS = ['find', 'state', 'kind'] as const
const STATES = Object.keys(OWN_ARTICLE_STATES) as OwnArticleState[]
const KINDS = Object.keys(ARTICLE_KINDS) as ArticleKind[]

/** /knowledge/own: articles of the organisation with state and versions. Filters and page are in the address. */
export default function OwnArticlesPage() {
  return (
    <PermittedPage page="own_articles" permission="rule.edit">
      <OwnArticles />
    </PermittedPage>
  )
}

function OwnArticles() {
  const t = useTexts(ownArticlesTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const [isCopying, setCopying] = useState(false)
  const { publish, withdraw, remove } = useArticleActions()
  const edit = (id: string) => void navigate(ownArticlePath(id))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions are new objects in each render and always do the same
  const columns = useMemo(
    () =>
      ownArticleColumns({
        t,
        language,
        onEdit: ({ id }) => edit(id),
        onRead: ({ id }) => void navigate(articlePath(id)),
        onPublish: (one) => void publish(one).then((problems) => problems.length > 0 && edit(one.id)),
        onWithdraw: (one) => void withdraw(one),
        onDelete: (one) => void remove(one),
      }),
    [t, language, navigate],
  )
  const list = useListState({
    name: 'own-article',
    filters: FILTERS,
    sorts: [],
    columns,
    searchLabel: t('find'),
    actionGroup: t('list'),
  })
  const { params } = list
  const filters = {
    text: (params.get('find') ?? '').slice(0, 100),
    state: STATES.find((one) => one === params.get('state')) ?? ('' as const),
    kind: KINDS.find((one) => one === params.get('kind')) ?? ('' as const),
  }
  const answer = useEndpoint(
    ownArticles,
    { query: { ...filters, ...list.paging } },
    { placeholderData: (before) => before },
  )
  const data = answer.data
  const create = () => edit(NEW)
  useActions([
    { id: 'own-article.create', label: t('create'), group: t('list'), keys: 'n', icon: Plus, run: create },
    {
      ...{ id: 'own-article.copy', label: t('copyFrom'), group: t('list'), icon: CopyPlus },
      run: () => setCopying(true),
    },
  ])
  return (
    <SearchableListPage
      list={list}
      title={PAGES.own_articles[language]}
      count={data && { name: 'own-article', total: data.total, text: t('note', { count: data.all }) }}
      actions={
        <>
          <Button icon={CopyPlus} onPress={() => setCopying(true)}>
            {t('copyFrom')}
          </Button>
          <Button variant="primary" icon={Plus} onPress={create}>
            {t('create')}
          </Button>
        </>
      }
      filters={
        <>
          <SearchBox
            id={list.searchId}
            label={t('find')}
            value={params.get('find') ?? ''}
            onSearch={(words) => list.filter('find', words || null)}
          />
          <span className="max-w-full overflow-x-auto">
            <SegmentedControl<OwnArticleState | ''>
              size="small"
              label={t('states')}
              value={filters.state}
              onChange={(state) => list.filter('state', state || null)}
              items={[
                { id: '', label: t('all') },
                ...STATES.map((id) => ({ id, label: OWN_ARTICLE_STATES[id][language] })),
              ]}
            />
          </span>
          <Select<ArticleKind | 'any'>
            size="small"
            label={t('kinds')}
            hideLabel
            value={filters.kind || 'any'}
            onChange={(kind) => list.filter('kind', kind === 'any' ? null : kind)}
            items={[
              { id: 'any', label: t('anyKind') },
              ...KINDS.map((id) => ({ id, label: ARTICLE_KINDS[id][language] })),
            ]}
          />
        </>
      }
      texts={{ clear: t('clear'), filtered: t('filtered') }}
      label={t('list')}
      answer={answer}
      columns={columns}
      rowKey={(one) => one.id}
      openMark={false}
      onOpen={({ id }) => edit(id)}
      none={
        <EmptyState
          kind="none"
          title={t('none')}
          hint={t('noneHint')}
          action={
            <Button icon={CopyPlus} onPress={() => setCopying(true)}>
              {t('copyFrom')}
            </Button>
          }
        />
      }
    >
      {isCopying && <CopyDialog onClose={() => setCopying(false)} onMade={edit} />}
    </SearchableListPage>
  )
}

import { ownRules } from '#contracts/http/detection/rules.ts'
import { detectionItems } from '#contracts/http/detection/tasks.ts'
import {
  ARTICLE_KINDS,
  ARTICLE_PLATFORMS,
  ARTICLE_TOPICS,
  type ArticleKind,
  type ArticleTopic,
  SOLUTION_KINDS,
  type SolutionKind,
} from '#contracts/http/knowledge.ts'
import { OWN_ARTICLE_LIMITS, type OwnContent } from '#contracts/http/own-articles.ts'
import { PAGE_NAMES, PAGES } from '#contracts/pages.ts'
import { knowledgeTexts } from '#src/features/knowledge/parts/knowledge-texts.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { SearchSelect } from '#src/shared/ui/search-select.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { ownArticlesTexts } from './own-articles-texts.ts'

const keys = <K extends string>(record: Readonly<Record<K, unknown>>) => Object.keys(record) as K[]
const MOST_PAGES = 20

/** What both languages share: kind, topic, platforms, and what the article is about. */
export function ArticleProperties({
  content,
  onChange,
}: {
  content: OwnContent
  onChange: (part: Partial<OwnContent>) => void
}) {
  const t = useTexts(ownArticlesTexts)
  const names = useTexts(knowledgeTexts)
  const language = useLanguage()
  const catalogue = useEndpoint(detectionItems, {}, { staleTime: Number.POSITIVE_INFINITY })
  const rules = useEndpoint(ownRules)
  const items = [
    ...(catalogue.data?.data ?? []).map(({ id, name, platform }) => ({
      id,
      label: `${name[language]} · ${platform === 'ios' ? 'iOS' : 'Android'}`,
    })),
    ...(rules.data?.data ?? []).map(({ id, name }) => ({ id, label: name })),
  ]
  const pages = PAGE_NAMES.filter((name) => PAGES[name].built && PAGES[name].roles.length > 0).map((name) => ({
    id: name as string,
    label: PAGES[name][language],
    words: PAGES[name].path,
  }))
  return (
    <div className="grid gap-x-4 gap-y-3 sm:grid-cols-3">
      <Select<ArticleKind>
        label={t('kind')}
        items={keys(ARTICLE_KINDS).map((id) => ({ id, label: ARTICLE_KINDS[id][language] }))}
        value={content.kind}
        onChange={(kind) =>
          onChange({ kind, solution: kind === 'solution' ? (content.solution ?? 'technical') : null })
        }
      />
      <Select<ArticleTopic>
        label={t('topic')}
        items={keys(ARTICLE_TOPICS).map((id) => ({ id, label: ARTICLE_TOPICS[id][language] }))}
        value={content.topic}
        onChange={(topic) => onChange({ topic })}
      />
      {content.kind === 'solution' ? (
        <Select<SolutionKind>
          label={t('solution')}
          items={keys(SOLUTION_KINDS).map((id) => ({ id, label: SOLUTION_KINDS[id][language] }))}
          value={content.solution}
          onChange={(solution) => onChange({ solution })}
        />
      ) : (
        <fieldset>
          <legend className="mb-1.5 text-13">{t('platforms')}</legend>
          <Platforms content={content} onChange={onChange} names={names} />
        </fieldset>
      )}
      {content.kind === 'solution' && (
        <fieldset className="sm:col-span-3">
          <legend className="mb-1.5 text-13">{t('platforms')}</legend>
          <Platforms content={content} onChange={onChange} names={names} />
        </fieldset>
      )}
      <Chosen
        legend={t('items')}
        note={t('itemsNote')}
        add={t('addItem')}
        none={t('noMatch')}
        all={items}
        chosen={content.items}
        most={OWN_ARTICLE_LIMITS.items}
        onChange={(next) => onChange({ items: next })}
      />
      <Chosen
        legend={t('pages')}
        note={t('pagesNote')}
        add={t('addPage')}
        none={t('noMatch')}
        all={pages}
        chosen={content.pages}
        most={MOST_PAGES}
        onChange={(next) => onChange({ pages: next as OwnContent['pages'] })}
      />
    </div>
  )
}

function Platforms({
  content,
  onChange,
  names,
}: {
  content: OwnContent
  onChange: (part: Partial<OwnContent>) => void
  names: (key: (typeof ARTICLE_PLATFORMS)[number]) => string
}) {
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1">
      {ARTICLE_PLATFORMS.map((platform) => (
        <Checkbox
          key={platform}
          isSelected={content.platforms.includes(platform)}
          onChange={(on) =>
            onChange({
              platforms: ARTICLE_PLATFORMS.filter((one) => (one === platform ? on : content.platforms.includes(one))),
            })
          }
        >
          {names(platform)}
        </Checkbox>
      ))}
    </div>
  )
}

function Chosen({
  legend,
  note,
  add,
  none,
  all,
  chosen,
  most,
  onChange,
}: {
  legend: string
  note: string
  add: string
  none: string
  all: readonly { id: string; label: string; words?: string }[]
  chosen: readonly string[]
  most: number
  onChange: (next: string[]) => void
}) {
  return (
    <fieldset className="min-w-0 sm:col-span-3">
      <legend className="mb-1.5 text-13">
        {legend} <span className="pl-2 text-12 text-muted">{note}</span>
      </legend>
      <div className="flex flex-wrap items-center gap-1.5">
        {chosen.map((id) => {
          const label = all.find((one) => one.id === id)?.label ?? id
          return (
            <Chip key={id} tone="neutral" label={label} onRemove={() => onChange(chosen.filter((one) => one !== id))}>
              <span className="text-clip-line max-w-72" title={id}>
                {label}
              </span>
            </Chip>
          )
        })}
        {chosen.length < most && (
          <SearchSelect
            label={add}
            items={all
              .filter(({ id }) => !chosen.includes(id))
              .map((one) => ({ ...one, words: `${one.words ?? ''} ${one.id}` }))}
            value=""
            onChange={(id) => onChange([...chosen, id])}
            placeholder={add}
            none={none}
          />
        )}
      </div>
    </fieldset>
  )
}

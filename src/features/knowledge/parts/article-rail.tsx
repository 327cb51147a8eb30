import { Settings2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import type { article } from '#contracts/http/knowledge.ts'
import { PAGES } from '#contracts/pages.ts'
import { RISK_TYPES } from '#domain/vocabulary.ts'
import { FindingLevelMark } from '#src/features/detection/parts/finding-level.tsx'
import { taskPath } from '#src/features/detection/parts/task-path.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { articlePath } from './article-parts.tsx'
import { knowledgeTexts } from './knowledge-texts.ts'

const SHOWN = 8

/** Beside an article: what fails of its items in the caller's applications, the policy option, its items, references. */
export function ArticleRail({ answer }: { answer: ResponseOf<typeof article> }) {
  const t = useTexts(knowledgeTexts)
  const language = useLanguage()
  const mayProtect = useMay('protect')
  const { data, found } = answer
  return (
    <aside aria-label={t('yours')} className="text-13">
      {data.items.length > 0 && (
        <Part
          title={found === null ? t('yours') : found.length > 0 ? t('found', { count: found.length }) : t('notFound')}
        >
          {found === null && <p className="text-12 text-muted">{t('noDetections')}</p>}
          {found && found.length > 0 && (
            <ul>
              {found.slice(0, SHOWN).map((one) => (
                <li key={`${one.task} ${one.item}`} className="border-b py-2 last:border-b-0">
                  <Link
                    to={`${taskPath(one.task)}?item=${encodeURIComponent(one.item)}`}
                    className="flex items-baseline gap-2 hover:text-brand-text"
                  >
                    <FindingLevelMark level={one.level} word={false} />
                    <span className="min-w-0 flex-1">
                      <span className="block">{one.item_name[language]}</span>
                      <span className="block text-12 text-muted">
                        {one.name} {one.version}
                      </span>
                    </span>
                    {one.ended_at !== null && (
                      <span className="flex-none text-12 text-muted">
                        <RelativeTime at={one.ended_at} />
                      </span>
                    )}
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </Part>
      )}
      <OwnRelated related={data.own_related} />
      {data.risks.length > 0 && (
        <Part title={t('policy')}>
          <p className="text-12 text-muted">{t('policyText')}</p>
          <p className="my-2 flex flex-wrap gap-x-3 gap-y-1">
            {data.risks.map((risk) => (
              <span key={risk}>{RISK_TYPES[risk][language]}</span>
            ))}
          </p>
          {mayProtect && (
            <Link to={PAGES.policies.path} className={buttonClass('plain')}>
              <Icon of={Settings2} />
              {t('openPolicy')}
            </Link>
          )}
        </Part>
      )}
      {data.pages.length > 0 && (
        <Part title={t('explains')}>
          <ul>
            {data.pages.map((page) => (
              <li key={page} className="py-0.5">
                {PAGES[page].path.includes(':') ? (
                  PAGES[page][language]
                ) : (
                  <Link to={PAGES[page].path} className="text-brand-text hover:underline">
                    {PAGES[page][language]}
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {data.items.length > 0 && (
        <Part title={t('items')}>
          <ul>
            {data.items.map(({ id, name, level }) => (
              <li key={id} className="flex items-baseline gap-2 py-1">
                <FindingLevelMark level={level} word={false} />
                <span className="min-w-0">
                  <span className="block">{name[language]}</span>
                  <code className="block text-12 break-all text-muted select-all">{id}</code>
                </span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {data.references.length > 0 && (
        <Part title={t('references')}>
          <ul>
            {data.references.map((one) => (
              <li key={one} className="py-0.5 text-muted">
                {one}
              </li>
            ))}
          </ul>
        </Part>
      )}
    </aside>
  )
}

/** Articles of the organisation about the same items or pages. */
export function OwnRelated({ related }: { related: readonly { id: string; title: string }[] }) {
  const t = useTexts(knowledgeTexts)
  if (related.length === 0) return null
  return (
    <Part title={t('ownRelated')}>
      <ul>
        {related.map(({ id, title }) => (
          <li key={id} className="py-0.5">
            <Link to={articlePath(id)} className="text-brand-text hover:underline">
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-b px-5 py-4 last:border-b-0">
      <h2 className="mb-1.5 font-semibold">{title}</h2>
      {children}
    </section>
  )
}

import { ExternalLink } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { ArticlePart } from '#contracts/http/knowledge.ts'
import { PAGES } from '#contracts/pages.ts'
import { Icon } from '#src/shared/ui/icon.tsx'

export const articlePath = (id: string) => PAGES.article.path.replace(':id', id)
export const ownArticlePath = (id: string) => PAGES.own_article.path.replace(':id', id)

/** The pieces of one line: plain, strong, code, links to articles and to https addresses. */
export function ArticleParts({ parts }: { parts: readonly ArticlePart[] }) {
  return parts.map((part, at) => {
    const text = <Marked part={part} />
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change their order
    return <span key={at}>{part.to === null ? text : <To to={part.to}>{text}</To>}</span>
  })
}

function Marked({ part: { text, mark } }: { part: ArticlePart }) {
  if (mark === 'code') return <code className="rounded-small bg-code px-1 text-[0.92em] break-words">{text}</code>
  return mark === 'strong' ? <strong className="font-semibold">{text}</strong> : text
}

function To({ to, children }: { to: string; children: React.ReactNode }) {
  if (!to.startsWith('https:'))
    return (
      <Link to={articlePath(to)} className="text-brand-text underline">
        {children}
      </Link>
    )
  return (
    <a href={to} target="_blank" rel="noreferrer" className="text-brand-text underline">
      {children}
      <Icon of={ExternalLink} size={12} className="ml-0.5 inline" />
    </a>
  )
}

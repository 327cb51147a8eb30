import { Download, FileText, Folder, ScanSearch } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import type { homeOverview } from '#contracts/http/home.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { homeTexts } from './home-texts.ts'

type Item = ResponseOf<typeof homeOverview>['recent'][number]
const ICONS = { detection: ScanSearch, case: Folder, report: FileText, export: Download } as const

/** What this account worked on last: detections, cases, reports and exports, each with the way back to it. */
export function RecentItems({ list }: { list: readonly Item[] | undefined }) {
  const t = useTexts(homeTexts)
  if (!list) return null
  return (
    <Section plain title={t('recent')} note={t('recentNote')} className="border-t">
      {list.length === 0 ? (
        <EmptyState kind="none" title={t('recentNone')} hint={t('recentNoneHint')} />
      ) : (
        <ul className="px-5 pb-2 max-lg:px-4">
          {list.map((item) => (
            <Row key={`${item.kind}${item.id}`} item={item} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function Row({ item }: { item: Item }) {
  const t = useTexts(homeTexts)
  const language = useLanguage()
  const title = <span className="text-clip-line block">{item.title}</span>
  const className = 'min-w-0 flex-[3] text-brand-text hover:underline'
  return (
    <li className="flex h-9 items-center gap-3 border-b last:border-b-0">
      <Icon of={ICONS[item.kind]} className="text-muted" />
      {item.to.startsWith('/api/') ? (
        <a href={item.to} className={className}>
          {title}
        </a>
      ) : item.to === '' ? (
        <span className="min-w-0 flex-[3]">{title}</span>
      ) : (
        <Link to={item.to} className={className}>
          {title}
        </Link>
      )}
      <span className="text-clip-line min-w-0 flex-1 text-12 text-muted max-sm:hidden">
        {t(`recent_${item.kind}`)} · {item.note[language]}
      </span>
      <span className="w-24 flex-none text-right text-12 text-muted">
        <RelativeTime at={item.at} />
      </span>
    </li>
  )
}

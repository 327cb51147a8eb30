import { BookOpen, Keyboard } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { article } from '#contracts/http/knowledge.ts'
import { PAGES, type PageName } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { ArticleBody } from './article-body.tsx'
import { OwnRelated } from './article-rail.tsx'
import { knowledgeTexts } from './knowledge-texts.ts'

/** F1: the help article of the page, beside it. */
export default function HelpDrawer({
  page,
  onClose,
  onKeys,
}: {
  page: PageName
  onClose: () => void
  onKeys: () => void
}) {
  const t = useTexts(knowledgeTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const answer = useEndpoint(article, { query: { language, id: `page:${page}` } })
  const all = () => {
    onClose()
    void navigate(`${PAGES.help.path}?open=page:${page}`)
  }
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={answer.data?.data.title ?? t('helpOf')}
      takeFocus
      footer={
        <div className="flex gap-2">
          <Button size="small" icon={BookOpen} onPress={all}>
            {t('allHelp')}
          </Button>
          <Button size="small" variant="quiet" icon={Keyboard} onPress={onKeys}>
            {t('keys')}
          </Button>
        </div>
      }
    >
      <div className="px-5 py-4">
        {answer.error ? (
          answer.error.key === 'data.missing' ? (
            <EmptyState kind="missing" title={t('noHelp')} />
          ) : (
            <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
          )
        ) : answer.data ? (
          <>
            <p className="mb-3 text-muted">{answer.data.data.summary}</p>
            <ArticleBody blocks={answer.data.data.blocks} />
            <div className="mt-6 border-t [&_section]:px-0">
              <OwnRelated related={answer.data.data.own_related} />
            </div>
          </>
        ) : (
          <Skeleton lines={8} />
        )}
      </div>
    </Drawer>
  )
}

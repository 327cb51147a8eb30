import { Check, ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { article } from '#contracts/http/knowledge.ts'
import { course as courseEndpoint, courses, type LessonLine, markRead } from '#contracts/http/training.ts'
import { ArticleBody } from '#src/features/knowledge/parts/article-body.tsx'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import type { OpenCourse } from './course-rail.tsx'
import { Quiz } from './quiz.tsx'
import { trainingTexts } from './training-texts.ts'

const QUIZ = 'quiz'

/** One lesson: its articles in order and then its quiz, each a part. Going on from an article marks it as read. */
export function LessonView({
  course,
  lesson,
  part,
  onOpen,
}: {
  course: OpenCourse
  lesson: LessonLine
  part: string | null
  onOpen: (next: { lesson: string; part: string | null }) => void
}) {
  const t = useTexts(trainingTexts)
  const parts = [...lesson.articles.map(({ id }) => id), QUIZ]
  // Chosen once: what is read and answered here must not turn the page.
  const [initial] = useState(() => firstOpen(lesson))
  const at = Math.max(0, parts.indexOf(part ?? initial))
  const current = parts[at] as string
  const lessonAt = course.lessons_list.findIndex(({ id }) => id === lesson.id)
  const following = course.lessons_list[lessonAt + 1]
  const read = useAction(markRead, { refreshes: [courseEndpoint, courses] })
  const shown = lesson.articles.find(({ id }) => id === current)
  const go = (to: number) => onOpen({ lesson: lesson.id, part: parts[to] ?? null })
  const goOn = () => {
    if (shown && !shown.read) read.mutate({ body: { course: course.id, article: shown.id, read: true } })
    go(at + 1)
  }
  return (
    <div
      id="training-lesson"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard
      tabIndex={0}
      className="flex min-h-0 min-w-0 flex-col overflow-auto px-8 pt-2 max-lg:px-4"
    >
      <div className="max-w-[680px]">
        <p className="text-12 text-muted">{t('place', { lesson: lessonAt + 1, step: at + 1, count: parts.length })}</p>
        <nav aria-label={t('parts')} className="mt-1 mb-4 border-b pb-3">
          <ul className="flex flex-wrap gap-x-4 gap-y-1 text-12">
            {parts.map((one, place) => {
              const found = lesson.articles.find(({ id }) => id === one)
              const isDone = found ? found.read : lesson.best !== null
              return (
                <li key={one}>
                  <button
                    type="button"
                    aria-current={one === current ? 'step' : undefined}
                    onClick={() => go(place)}
                    className={`inline-flex items-center gap-1 text-left ${one === current ? 'font-semibold' : 'text-brand-text hover:underline'}`}
                  >
                    {isDone && <Icon of={Check} size={12} className="text-good-text" />}
                    {found ? found.title : t('quiz')}
                    {isDone && <span className="sr-only">{found ? t('read') : t('finished')}</span>}
                  </button>
                </li>
              )
            })}
          </ul>
        </nav>
      </div>
      {shown ? (
        <ArticlePart id={shown.id} />
      ) : (
        <Quiz course={course} lesson={lesson} following={following?.id} onOpen={onOpen} />
      )}
      <div className="mt-auto flex max-w-[680px] flex-wrap items-center gap-2 py-4">
        {at > 0 && (
          <Button icon={ChevronLeft} onPress={() => go(at - 1)}>
            {t('previous')}
          </Button>
        )}
        {shown?.read && (
          <Button
            variant="quiet"
            onPress={() => read.mutate({ body: { course: course.id, article: shown.id, read: false } })}
          >
            {t('markUnread')}
          </Button>
        )}
        {shown && (
          <span className="ml-auto">
            <Button icon={ChevronRight} variant="primary" onPress={goOn}>
              {t('next')}
            </Button>
          </span>
        )}
      </div>
    </div>
  )
}

/** Where a lesson goes on: the first article that was not read, then the quiz; a finished one opens its first article. */
function firstOpen({ articles, best }: LessonLine): string {
  const unread = articles.find(({ read }) => !read)?.id
  return (best === null ? unread : articles[0]?.id) ?? QUIZ
}

function ArticlePart({ id }: { id: string }) {
  const language = useLanguage()
  const answer = useEndpoint(article, { query: { language, id } })
  if (answer.error) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data)
    return (
      <div className="max-w-[680px]">
        <Skeleton lines={12} />
      </div>
    )
  const { data } = answer.data
  return (
    <article aria-label={data.title}>
      <h2 className="mb-1 text-20 font-semibold">{data.title}</h2>
      <p className="mb-4 max-w-[680px] text-14/6 text-muted">{data.summary}</p>
      <ArticleBody key={`${data.id} ${language}`} blocks={data.blocks} />
    </article>
  )
}

import { Circle, CircleCheck, LoaderCircle } from 'lucide-react'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import type { course as courseEndpoint, LessonLine } from '#contracts/http/training.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { trainingTexts } from './training-texts.ts'

export type OpenCourse = ResponseOf<typeof courseEndpoint>['data']

/** How far the course is, and its lessons in order. */
export function CourseRail({
  course,
  current,
  onOpen,
}: {
  course: OpenCourse
  current: string
  onOpen: (lesson: string) => void
}) {
  const t = useTexts(trainingTexts)
  return (
    <>
      <div className="px-5 pt-3.5 pb-4 max-lg:px-4">
        <p className="flex items-baseline gap-2">
          <span className="text-28 tabular-nums" data-testid="training-finished">
            {course.finished} / {course.lessons}
          </span>
          <span className="text-12 text-muted">
            {course.score === null ? t('lessonsDone') : t('average', { score: course.score })}
          </span>
        </p>
        <div className="mt-2">
          <ProgressBar value={course.finished / course.lessons} label={t('progress')} />
        </div>
      </div>
      <nav aria-label={t('lessons')} className="border-t py-1.5">
        <ol>
          {course.lessons_list.map((lesson) => (
            <li key={lesson.id}>
              <button
                type="button"
                aria-current={lesson.id === current ? 'page' : undefined}
                onClick={() => onOpen(lesson.id)}
                className={`flex min-h-13 w-full items-start gap-3 border-l-2 px-4.5 py-2 text-left ${lesson.id === current ? 'border-l-brand bg-selected' : 'border-l-transparent hover:bg-hover'}`}
              >
                <LessonState lesson={lesson} />
                <span className="min-w-0 flex-1">
                  <span className={`block ${lesson.id === current ? 'font-semibold' : ''}`}>{lesson.title}</span>
                  <span className="block text-12 text-muted">
                    {t('minutes', { count: lesson.minutes })}
                    {lesson.best === null &&
                      ` · ${lesson.answered > 0 ? t('answeredOf', { done: lesson.answered, count: lesson.questions }) : t('readOf', readOf(lesson))}`}
                  </span>
                </span>
                {lesson.best !== null && (
                  <span className="flex-none pt-0.5 text-12 text-muted tabular-nums">
                    {t('quizOf', { right: lesson.best, count: lesson.questions })}
                  </span>
                )}
              </button>
            </li>
          ))}
        </ol>
      </nav>
    </>
  )
}

const readOf = ({ articles }: LessonLine) => ({
  done: articles.filter(({ read }) => read).length,
  count: articles.length,
})

function LessonState({ lesson }: { lesson: LessonLine }) {
  const t = useTexts(trainingTexts)
  const isRunning = lesson.answered > 0 || readOf(lesson).done > 0
  const [icon, label, tone] =
    lesson.best !== null
      ? [CircleCheck, t('finished'), 'text-good-text']
      : isRunning
        ? [LoaderCircle, t('running'), 'text-brand-text']
        : [Circle, t('waiting'), 'text-faint']
  return (
    <span className={`mt-0.5 flex-none ${tone}`}>
      <Icon of={icon} size={14} />
      <span className="sr-only">{label}</span>
    </span>
  )
}

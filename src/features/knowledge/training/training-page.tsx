import { Award, UserPlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type CourseLine, course, courses } from '#contracts/http/training.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { AssignDialog } from './assign-dialog.tsx'
import { CheckDialog } from './check-dialog.tsx'
import { CourseRail } from './course-rail.tsx'
import { LessonView } from './lesson-view.tsx'
import { OtherCourses } from './other-courses.tsx'
import { TrainingSide } from './training-side.tsx'
import { trainingTexts } from './training-texts.ts'

/** /knowledge/training: one course with its lessons beside the text or quiz of one of them. Course, lesson and part are in the address. */
export default function TrainingPage() {
  const t = useTexts(trainingTexts)
  const language = useLanguage()
  const mayManage = useMay('user.manage')
  const { params, setParams } = useAddress()
  const [isAssigning, setAssigning] = useState(false)
  const list = useEndpoint(courses, { query: { language } }, { placeholderData: (before) => before })
  const lines = list.data?.data
  const id = params.get('course') ?? lines?.toSorted((a, b) => urgency(a) - urgency(b))[0]?.id
  const shown = useEndpoint(
    course,
    { query: { language, id: id ?? '' } },
    { enabled: id !== undefined, placeholderData: (before) => before },
  )
  const data = shown.data?.data
  usePageSubject(data?.title)
  const lesson =
    data?.lessons_list.find((one) => one.id === params.get('lesson')) ??
    data?.lessons_list.find(({ best }) => best === null) ??
    data?.lessons_list[0]
  const opened = data && data.id === id && !shown.isPlaceholderData ? lesson?.id : undefined
  const isNamed = params.get('course') !== null && params.get('lesson') !== null
  useEffect(() => {
    // What is shown without a choice stays when its lesson is finished: the address names it.
    if (id !== undefined && opened !== undefined && !isNamed) setParams({ course: id, lesson: opened }, true)
  }, [id, opened, isNamed, setParams])
  const open = (next: Readonly<Record<string, string | null>>) => {
    setParams({ lesson: null, part: null, ...next })
    const box = document.getElementById('training-lesson')
    box?.scrollTo(0, 0)
    // Below the lists, where there is one column.
    if (next['lesson'] && matchMedia('(width < 64rem)').matches) box?.scrollIntoView({ block: 'start' })
  }
  const certificate = params.get('certificate')
  const isMissing = shown.error?.key === 'data.missing' || shown.error?.key === 'input.invalid'
  return (
    <div className="flex h-full min-h-0 flex-col max-xl:h-auto">
      <PageTitle
        title={data && !shown.error ? data.title : PAGES.training[language]}
        note={data && !shown.error && <Due course={data} />}
        actions={
          <>
            {mayManage && data && (
              <Button icon={UserPlus} variant="quiet" onPress={() => setAssigning(true)}>
                {t('assign')}
              </Button>
            )}
            <Button icon={Award} onPress={() => setParams({ certificate: 'check' })}>
              {t('check')}
            </Button>
          </>
        }
      />
      {list.error ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : lines?.length === 0 ? (
        <EmptyState kind="none" title={t('none')} />
      ) : isMissing ? (
        <EmptyState
          kind="missing"
          title={t('missing')}
          hint={t('missingHint')}
          code={id}
          action={<Button onPress={() => open({ course: null })}>{t('toCourses')}</Button>}
        />
      ) : shown.error ? (
        <ErrorState error={shown.error} onRetry={() => void shown.refetch()} />
      ) : !data || !lines || !lesson ? (
        <div className="grid flex-1 grid-cols-[300px_minmax(0,1fr)] border-t max-lg:grid-cols-1">
          <div className="border-r p-5 max-lg:border-r-0">
            <Skeleton lines={8} />
          </div>
          <div className="p-5 max-lg:hidden">
            <Skeleton lines={12} />
          </div>
        </div>
      ) : (
        <div className="grid min-h-0 flex-1 grid-cols-[300px_minmax(0,1fr)_320px] border-t max-xl:grid-cols-[280px_minmax(0,1fr)] max-lg:grid-cols-1">
          <div className="flex min-h-0 flex-col overflow-auto border-r max-lg:border-r-0 max-lg:border-b">
            <CourseRail course={data} current={lesson.id} onOpen={(next) => open({ course: data.id, lesson: next })} />
            <div className="mt-auto max-lg:hidden">
              <OtherCourses lines={lines} current={data.id} onOpen={(next) => open({ course: next })} />
            </div>
          </div>
          <LessonView
            key={`${data.id} ${lesson.id} ${language}`}
            course={data}
            lesson={lesson}
            part={params.get('part')}
            onOpen={(next) => open({ course: data.id, ...next })}
          />
          <div className="min-h-0 overflow-auto border-l max-xl:col-span-full max-xl:border-t max-xl:border-l-0">
            <TrainingSide course={data} />
            <div className="border-t lg:hidden">
              <OtherCourses lines={lines} current={data.id} onOpen={(next) => open({ course: next })} />
            </div>
          </div>
        </div>
      )}
      {isAssigning && data && <AssignDialog course={data} onClose={() => setAssigning(false)} />}
      {certificate !== null && (
        <CheckDialog
          number={certificate === 'check' ? '' : certificate}
          onClose={() => setParams({ certificate: null })}
        />
      )}
    </div>
  )
}

/** What opens without a choice: what was begun, then what was assigned, then what is new. */
function urgency({ state, assigned }: CourseLine): number {
  if (state === 'passed') return 3
  return state === 'started' ? 0 : assigned ? 1 : 2
}

function Due({ course: { assigned, state } }: { course: CourseLine }) {
  const t = useTexts(trainingTexts)
  const zone = usePlatform((platform) => platform.zone)
  // What is late is so until the page is opened again.
  const [now] = useState(Date.now)
  if (!assigned || state === 'passed') return null
  if (assigned.due_at === null) return t('assignedNote')
  const isLate = assigned.due_at < now
  const day = formatDateTime(assigned.due_at, zone, 'day', now)
  return <span className={isLate ? 'text-bad-text' : ''}>{t(isLate ? 'overdue' : 'due', { day })}</span>
}

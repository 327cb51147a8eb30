import { CircleCheck, CircleX, RotateCw } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  answerQuestion,
  course as courseEndpoint,
  courses,
  type LessonLine,
  lessonQuestions,
  repeatLesson,
  type TrainingAttempt,
  type TrainingQuestion,
  trainingTeam,
} from '#contracts/http/training.ts'
import { articlePath } from '#src/features/knowledge/parts/article-parts.tsx'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { ErrorState, errorMessage } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import type { OpenCourse } from './course-rail.tsx'
import { trainingTexts } from './training-texts.ts'

const REFRESHES = [lessonQuestions, courseEndpoint, courses, trainingTeam]
type Open = (next: { lesson: string; part: string | null }) => void

/** The questions of a lesson, one after another; a finished attempt shows its result. */
export function Quiz({
  course,
  lesson,
  following,
  onOpen,
}: {
  course: OpenCourse
  lesson: LessonLine
  /** The lesson after this one. */
  following: string | undefined
  onOpen: Open
}) {
  const language = useLanguage()
  const answer = useEndpoint(lessonQuestions, { query: { language, course: course.id, lesson: lesson.id } })
  if (answer.error) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data)
    return (
      <div className="max-w-[680px]">
        <Skeleton lines={6} />
      </div>
    )
  return (
    <Attempt
      key={answer.data.data.number}
      {...{ course, lesson, following, onOpen }}
      attempt={answer.data.data}
      onConflict={() => void answer.refetch()}
    />
  )
}

function Attempt({
  course,
  lesson,
  following,
  onOpen,
  attempt,
  onConflict,
}: {
  course: OpenCourse
  lesson: LessonLine
  following: string | undefined
  onOpen: Open
  attempt: TrainingAttempt
  onConflict: () => void
}) {
  const t = useTexts(trainingTexts)
  const language = useLanguage()
  const { questions } = attempt
  const firstOpen = questions.findIndex((one) => one.answer === null)
  const [at, setAt] = useState(firstOpen < 0 ? questions.length : firstOpen)
  const send = useAction(answerQuestion, { quiet: true, refreshes: REFRESHES })
  const again = useAction(repeatLesson, {
    refreshes: REFRESHES,
    onSuccess: () => toast.success(t('repeated')),
  })
  const question = questions[at]
  if (!question) {
    const right = questions.filter(({ answer }) => answer && answer.choice === answer.right).length
    return (
      <section aria-label={t('quiz')} className="max-w-[680px]">
        <h2 className="text-20 font-semibold" data-testid="training-result">
          {t('result', { right, count: questions.length })}
        </h2>
        <p className="mt-1 text-muted">
          {t('resultGood')} {t('resultNote')}
        </p>
        <ol className="my-4 border-t">
          {questions.map((one, place) => (
            <li key={one.id} className="border-b">
              <button
                type="button"
                onClick={() => setAt(place)}
                className="flex w-full items-start gap-3 py-2 text-left hover:bg-hover"
              >
                <Mark isRight={one.answer?.choice === one.answer?.right} />
                <span className="min-w-0 flex-1">{one.text}</span>
                <span className="sr-only">{t('look', { count: place + 1 })}</span>
              </button>
            </li>
          ))}
        </ol>
        <div className="flex flex-wrap gap-2">
          <Button
            icon={RotateCw}
            isDisabled={again.isPending}
            onPress={() => again.mutate({ body: { language, course: course.id, lesson: lesson.id } })}
          >
            {t('repeat')}
          </Button>
          {following !== undefined && (
            <Button variant="primary" onPress={() => onOpen({ lesson: following, part: null })}>
              {t('nextLesson')}
            </Button>
          )}
        </div>
      </section>
    )
  }
  const submit = (choice: number) =>
    send.mutate(
      {
        body: {
          ...{ language, course: course.id, lesson: lesson.id },
          ...{ question: question.id, attempt: attempt.number, choice },
        },
      },
      {
        onSuccess({ certificate }) {
          if (certificate) toast.success(t('passed', { number: certificate.number }))
        },
        onError(error) {
          if (error.key === 'data.conflict') {
            toast.warn(t('changed'))
            onConflict()
          } else toast.error(errorMessage(error))
        },
      },
    )
  return (
    <section aria-label={t('quiz')} className="max-w-[680px]">
      <Question
        key={question.id}
        {...{ question, lesson }}
        place={at + 1}
        count={questions.length}
        isSending={send.isPending}
        onSubmit={submit}
        onNext={() => setAt(at + 1)}
      />
    </section>
  )
}

const letterOf = (place: number) => String.fromCharCode(65 + place)

function Question({
  question,
  lesson,
  place,
  count,
  isSending,
  onSubmit,
  onNext,
}: {
  question: TrainingQuestion
  lesson: LessonLine
  place: number
  count: number
  isSending: boolean
  onSubmit: (choice: number) => void
  onNext: () => void
}) {
  const t = useTexts(trainingTexts)
  const [chosen, setChosen] = useState<number>()
  const { answer } = question
  const [source] = lesson.articles
  /** The letters of the options choose them, wherever in the question the focus is. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (answer || event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
    const letter = event.key.toUpperCase()
    const found = letter.length === 1 ? letter.charCodeAt(0) - 65 : -1
    if (found < 0 || found >= question.options.length) return
    event.preventDefault()
    setChosen(found)
    event.currentTarget.querySelector<HTMLInputElement>(`input[value="${found}"]`)?.focus()
  }
  return (
    <form
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        if (!answer && chosen !== undefined && !isSending) onSubmit(chosen)
      }}
    >
      <fieldset>
        <legend className="mb-2.5 flex w-full items-baseline gap-3">
          <span className="flex-none text-14 font-semibold">{t('think')}</span>
          <span className="min-w-0 flex-1">{question.text}</span>
          <span className="flex-none text-12 text-muted tabular-nums">
            {place} / {count}
          </span>
        </legend>
        {question.options.map((text, at) => (
          <Option
            key={text}
            {...{ text, at }}
            name={`question-${question.id}`}
            answer={answer}
            isChosen={(answer?.choice ?? chosen) === at}
            isFocused={at === 0 && !answer}
            onChoose={() => setChosen(at)}
          />
        ))}
      </fieldset>
      <div aria-live="polite">
        {answer && (
          <p className="rounded bg-canvas px-3.5 py-2.5 leading-[22px]">
            <strong className="font-semibold">{t('why', { letter: letterOf(answer.right) })}</strong> {answer.reason}{' '}
            {source && (
              <Link to={articlePath(source.id)} className="text-brand-text underline">
                {t('seeArticle', { title: source.title })}
              </Link>
            )}
          </p>
        )}
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        {answer ? (
          <Button key="next" variant="primary" autoFocus onPress={onNext}>
            {place < count ? t('nextQuestion') : t('toResult')}
          </Button>
        ) : (
          <>
            <Button key="answer" type="submit" variant="primary" isDisabled={chosen === undefined || isSending}>
              {t('answer')}
            </Button>
            <span className="text-12 text-muted pointer-coarse:hidden">{t('answerHint')}</span>
          </>
        )}
      </div>
    </form>
  )
}

function Option({
  text,
  at,
  name,
  answer,
  isChosen,
  isFocused,
  onChoose,
}: {
  text: string
  at: number
  name: string
  answer: TrainingQuestion['answer']
  isChosen: boolean
  isFocused: boolean
  onChoose: () => void
}) {
  const t = useTexts(trainingTexts)
  const isRight = answer?.right === at
  const isWrong = answer !== null && isChosen && !isRight
  const look = isRight
    ? 'border-good bg-good-soft'
    : isWrong
      ? 'border-bad bg-bad-soft'
      : isChosen
        ? 'border-brand bg-selected'
        : answer
          ? ''
          : 'hover:bg-hover'
  return (
    <label
      className={`mb-2 flex min-h-10 items-center gap-3 rounded border px-3 py-1.5 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-brand-fill ${answer ? '' : 'cursor-pointer'} ${look}`}
    >
      <input
        type="radio"
        name={name}
        value={at}
        checked={isChosen}
        disabled={answer !== null}
        // biome-ignore lint/a11y/noAutofocus: the next question continues where the button of the last one was
        autoFocus={isFocused}
        onChange={onChoose}
        className="size-4 flex-none accent-(--brand-fill) outline-none"
      />
      <b className="flex-none">{letterOf(at)}</b>
      <span className="min-w-0 flex-1">{text}</span>
      {(isRight || isWrong) && (
        <>
          <Mark isRight={isRight} />
          <span className="sr-only">{isWrong ? t('wrong') : isChosen ? t('yourRight') : t('right')}</span>
        </>
      )}
    </label>
  )
}

function Mark({ isRight }: { isRight: boolean }) {
  return (
    <Icon
      of={isRight ? CircleCheck : CircleX}
      size={16}
      className={`mt-0.5 flex-none ${isRight ? 'text-good-text' : 'text-bad-text'}`}
    />
  )
}

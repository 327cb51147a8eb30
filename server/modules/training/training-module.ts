import type { Kysely } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import {
  answerQuestion,
  course as courseEndpoint,
  courses as coursesEndpoint,
  lessonQuestions,
  markRead,
  repeatLesson,
  TRAINING_LIMITS,
  type TrainingAttempt,
} from '#contracts/http/training.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Module } from '../../http/module.ts'
import { library, lineOf } from '../knowledge/library.ts'
import { certificateNumber } from './certificate-number.ts'
import { courseLibrary, findCourse, findLesson, findQuestion } from './course-library.ts'
import { VALID_MS } from './course-progress.ts'
import { optionOrder } from './option-order.ts'
import type { Course, Lesson } from './read-courses.ts'
import {
  certificateOf,
  countedAnswers,
  courseLine,
  newestAttempt,
  progressOf,
  readOwnTraining,
} from './training-store.ts'

type Language = 'zh' | 'en'
type NewestAttempt = Awaited<ReturnType<typeof newestAttempt>>

/** Courses, what the caller has read, and questions: right options leave the server with the answer alone. */
export const trainingModule: Module = (mount, deps) => {
  const { db } = deps.meta
  const secret = () => deps.secret('training')

  /** An attempt as its account sees it; without one, the first that a first answer will begin. Questions that came after its end are not in it. */
  function view(
    of: { user: number; course: Course; lesson: Lesson },
    newest: NewestAttempt,
    language: Language,
  ): TrainingAttempt {
    const { user, course, lesson } = of
    const number = newest?.attempt.number ?? 1
    const given = new Map((newest?.answers ?? []).map((one) => [one.question, one]))
    const finished = (newest?.attempt.ended_at ?? null) !== null
    return {
      ...{ number, finished },
      questions: lesson.questions.flatMap((question) => {
        const { text, right, wrong, reason } = question[language]
        const order = optionOrder(secret(), {
          ...{ user, course: course.id, lesson: lesson.id, question: question.id, attempt: number },
        })
        const answer = given.get(question.id)
        if (finished && !answer) return []
        return {
          ...{ id: question.id, text },
          options: order.map((place) => [right, ...wrong][place] as string),
          answer: answer ? { choice: order.indexOf(answer.choice), right: order.indexOf(0), reason } : null,
        }
      }),
    }
  }

  mount(coursesEndpoint, async ({ query, caller }) => {
    const now = deps.now()
    const own = await readOwnTraining(db, caller.userId, now)
    return { data: courseLibrary().map((one) => courseLine(one, own, query.language, now)) }
  })

  mount(courseEndpoint, async ({ query, caller }) => {
    const course = findCourse(query.id)
    const { language } = query
    const now = deps.now()
    const [own, open] = await Promise.all([
      readOwnTraining(db, caller.userId, now),
      db
        .selectFrom('training_attempts')
        .innerJoin('training_answers', 'training_answers.attempt_id', 'training_attempts.id')
        .select(['lesson', 'question', 'choice', 'training_answers.correct'])
        .where('user_id', '=', caller.userId)
        .where('course', '=', course.id)
        .where('ended_at', 'is', null)
        .execute(),
    ])
    const { best } = progressOf(course, own, now)
    const read = own.reads.get(course.id)
    return {
      data: {
        ...courseLine(course, own, language, now),
        pages: course.pages,
        holder: caller.username,
        lessons_list: course.lessons.map((lesson) => ({
          ...{ id: lesson.id, title: lesson[language], minutes: lesson.minutes, questions: lesson.questions.length },
          articles: lesson.articles.flatMap((id) => {
            const found = library().find(id)
            if (!found) return []
            const { title, minutes } = lineOf(found, language)
            return [{ id, title, minutes, read: read?.has(id) ?? false }]
          }),
          best: best.get(lesson.id)?.correct ?? null,
          answered: countedAnswers(
            lesson,
            open.filter((one) => one.lesson === lesson.id),
          ).length,
        })),
      },
    }
  })

  mount(lessonQuestions, async ({ query, caller }) => {
    const course = findCourse(query.course)
    const lesson = findLesson(course, query.lesson)
    const newest = await newestAttempt(db, { user: caller.userId, course: course.id, lesson: lesson.id })
    return { data: view({ user: caller.userId, course, lesson }, newest, query.language) }
  })

  mount(markRead, async ({ body, caller, audit }) => {
    const course = findCourse(body.course)
    if (!course.lessons.some(({ articles }) => articles.includes(body.article))) throw new ProductError('data.missing')
    audit(course.id, `${body.article} ${body.read ? 'read' : 'unread'}`)
    const key = { user_id: caller.userId, course: course.id, article: body.article }
    if (body.read)
      await db
        .insertInto('training_reads')
        .values({ ...key, read_at: deps.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    else
      await db
        .deleteFrom('training_reads')
        .where('user_id', '=', key.user_id)
        .where('course', '=', key.course)
        .where('article', '=', key.article)
        .execute()
    return {}
  })

  mount(answerQuestion, async ({ body, caller, audit }) => {
    const course = findCourse(body.course)
    const lesson = findLesson(course, body.lesson)
    const question = findQuestion(lesson, body.question)
    const of = { user: caller.userId, course: course.id, lesson: lesson.id }
    audit(course.id, `${lesson.id} ${question.id}`)
    return await db.transaction().execute(async (tx) => {
      await lockAccount(tx, caller.userId)
      const now = deps.now()
      const newest = await newestAttempt(tx, of)
      if (body.attempt !== (newest?.attempt.number ?? 1)) throw new ProductError('data.conflict')
      const place = optionOrder(secret(), { ...of, question: question.id, attempt: body.attempt })[body.choice]
      const isAnswered = newest?.answers.some((one) => one.question === question.id)
      // What was answered stays, whatever is sent again.
      if (!isAnswered && newest?.attempt.ended_at) throw new ProductError('data.conflict')
      if (!isAnswered) {
        const id =
          newest?.attempt.id ??
          (
            await tx
              .insertInto('training_attempts')
              .values({
                ...{ user_id: caller.userId, course: course.id, lesson: lesson.id, number: 1 },
                ...{ questions: lesson.questions.length, started_at: now, ended_at: null },
              })
              .returning('id')
              .executeTakeFirstOrThrow()
          ).id
        await tx
          .insertInto('training_answers')
          .values({
            ...{ attempt_id: id, question: question.id, answered_at: now },
            ...{ choice: place as number, correct: place === 0 },
          })
          .execute()
        const changed = await newestAttempt(tx, of)
        if (changed) await endIfAnswered(tx, lesson, changed, now)
      }
      const data = view({ user: caller.userId, course, lesson }, await newestAttempt(tx, of), body.language)
      const own = await readOwnTraining(tx, caller.userId, now)
      const progress = progressOf(course, own, now)
      if (!progress.passes || own.certificates.has(course.id)) return { data, certificate: null }
      const certificate = {
        number: certificateNumber(secret(), { user: caller.userId, course: course.id, issuedAt: now }),
        ...{ score: progress.score ?? 0, issued_at: now, expires_at: now + VALID_MS },
      }
      await tx
        .insertInto('training_certificates')
        .values({
          ...certificate,
          ...{ user_id: caller.userId, course: course.id, minutes: course.minutes },
          title: JSON.stringify({ zh: course.zh.title, en: course.en.title }),
        })
        .execute()
      audit(course.id, `${lesson.id} ${question.id}, certificate ${certificate.number}`)
      return { data, certificate: certificateOf(certificate) }
    })
  })

  mount(repeatLesson, async ({ body, caller, audit }) => {
    const course = findCourse(body.course)
    const lesson = findLesson(course, body.lesson)
    const of = { user: caller.userId, course: course.id, lesson: lesson.id }
    audit(course.id, lesson.id)
    return await db.transaction().execute(async (tx) => {
      await lockAccount(tx, caller.userId)
      const newest = await newestAttempt(tx, of)
      // One that runs goes on; one whose last open questions were taken out of the lesson ends here.
      if (newest && (newest.attempt.ended_at !== null || (await endIfAnswered(tx, lesson, newest, deps.now())))) {
        const number = newest.attempt.number + 1
        if (number > TRAINING_LIMITS.attempts)
          throw new ProductError('quota.reached', { detail: String(TRAINING_LIMITS.attempts) })
        await tx
          .insertInto('training_attempts')
          .values({
            ...{ user_id: caller.userId, course: course.id, lesson: lesson.id, number },
            ...{ questions: lesson.questions.length, started_at: deps.now(), ended_at: null },
          })
          .execute()
      }
      return { data: view({ user: caller.userId, course, lesson }, await newestAttempt(tx, of), body.language) }
    })
  })
}

/** One change of an account at a time: two tabs begin no two attempts and issue no two certificates. */
async function lockAccount(tx: Kysely<Database>, user: number): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', user).forNoKeyUpdate().executeTakeFirstOrThrow()
}

/** Ends an attempt in which every question that the lesson has now is answered; answers whether it did. */
async function endIfAnswered(
  tx: Kysely<Database>,
  lesson: Lesson,
  { attempt, answers: all }: NonNullable<NewestAttempt>,
  now: number,
): Promise<boolean> {
  const answers = countedAnswers(lesson, all)
  if (answers.length < lesson.questions.length) return false
  await tx
    .updateTable('training_attempts')
    .set({
      ...{ ended_at: now, questions: answers.length },
      correct: answers.filter(({ correct }) => correct).length,
    })
    .where('id', '=', attempt.id)
    .execute()
  return true
}

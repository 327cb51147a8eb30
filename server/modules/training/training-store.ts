import type { Kysely } from 'kysely'
import type { CourseLine } from '#contracts/http/training.ts'
import { groupBy } from '#runtime/group-by.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { type AttemptRow, courseProgress, type Progress } from './course-progress.ts'
import type { Course, Lesson } from './read-courses.ts'

type Db = Kysely<Database>
export type Attempt = AttemptRow & { id: number }
export type AnswerRow = { question: string; choice: number; correct: boolean }
type Assignment = { course: string; due_at: number | null }
type Certificate = NonNullable<CourseLine['certificate']> & { course: string }

/** All that is kept of one account in training. */
export type OwnTraining = {
  attempts: ReadonlyMap<string, readonly AttemptRow[]>
  /** Articles read, by course. */
  reads: ReadonlyMap<string, ReadonlySet<string>>
  assignments: ReadonlyMap<string, Assignment>
  /** The newest valid one of each course. */
  certificates: ReadonlyMap<string, Certificate>
}

export async function readOwnTraining(db: Db, user: number, now: number): Promise<OwnTraining> {
  const [attempts, reads, assignments, certificates] = await Promise.all([
    db
      .selectFrom('training_attempts')
      .select(['course', 'lesson', 'number', 'questions', 'correct', 'started_at', 'ended_at'])
      .where('user_id', '=', user)
      .execute(),
    db.selectFrom('training_reads').select(['course', 'article']).where('user_id', '=', user).execute(),
    db.selectFrom('training_assignments').select(['course', 'due_at']).where('user_id', '=', user).execute(),
    db
      .selectFrom('training_certificates')
      .select(['course', 'number', 'score', 'issued_at', 'expires_at'])
      .where('user_id', '=', user)
      .where('expires_at', '>', now)
      .orderBy('issued_at')
      .execute(),
  ])
  const read = new Map<string, Set<string>>()
  for (const { course, article } of reads) read.set(course, (read.get(course) ?? new Set()).add(article))
  return {
    attempts: groupBy(attempts, ({ course }) => course),
    reads: read,
    assignments: new Map(assignments.map((one) => [one.course, one])),
    certificates: new Map(certificates.map((one) => [one.course, one])),
  }
}

export function progressOf(course: Course, own: OwnTraining, now: number): Progress {
  return courseProgress(
    course,
    {
      attempts: own.attempts.get(course.id) ?? [],
      reads: own.reads.get(course.id)?.size ?? 0,
      certified: own.certificates.has(course.id),
    },
    now,
  )
}

export function courseLine(course: Course, own: OwnTraining, language: 'zh' | 'en', now: number): CourseLine {
  const { state, finished, score } = progressOf(course, own, now)
  const assignment = own.assignments.get(course.id)
  const certificate = own.certificates.get(course.id)
  return {
    id: course.id,
    title: course[language].title,
    summary: course[language].summary,
    minutes: course.minutes,
    lessons: course.lessons.length,
    ...{ finished, state, score },
    assigned: assignment ? { due_at: assignment.due_at } : null,
    certificate: certificate ? certificateOf(certificate) : null,
  }
}

export function certificateOf({ number, score, issued_at, expires_at }: NonNullable<CourseLine['certificate']>) {
  return { number, score, issued_at, expires_at }
}

/** The newest attempt at a lesson with its answers; undefined: none was begun. */
export async function newestAttempt(
  db: Db,
  { user, course, lesson }: { user: number; course: string; lesson: string },
): Promise<{ attempt: Attempt; answers: AnswerRow[] } | undefined> {
  const attempt = await db
    .selectFrom('training_attempts')
    .select(['id', 'lesson', 'number', 'questions', 'correct', 'started_at', 'ended_at'])
    .where('user_id', '=', user)
    .where('course', '=', course)
    .where('lesson', '=', lesson)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!attempt) return undefined
  const answers = await db
    .selectFrom('training_answers')
    .select(['question', 'choice', 'correct'])
    .where('attempt_id', '=', attempt.id)
    .execute()
  return { attempt, answers }
}

/** Answers to questions that the lesson still has. */
export function countedAnswers(lesson: Lesson, answers: readonly AnswerRow[]): AnswerRow[] {
  return answers.filter(({ question }) => lesson.questions.some(({ id }) => id === question))
}

/** A certificate with its holder, by its number. */
export async function findCertificate({ db }: Pick<MetaStore, 'db'>, number: string) {
  return await db
    .selectFrom('training_certificates')
    .innerJoin('users', 'users.id', 'training_certificates.user_id')
    .selectAll('training_certificates')
    .select('users.username')
    .where('number', '=', number)
    .executeTakeFirst()
}
export type CertificateRow = NonNullable<Awaited<ReturnType<typeof findCertificate>>>

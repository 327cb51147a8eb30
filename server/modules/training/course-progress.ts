import { type CourseState, TRAINING_LIMITS } from '#contracts/http/training.ts'
import type { Course } from './read-courses.ts'

const DAY_MS = 86_400_000
/** How long results count and certificates are valid. */
export const VALID_MS = TRAINING_LIMITS.days * DAY_MS

export type AttemptRow = {
  lesson: string
  number: number
  questions: number
  correct: number
  started_at: number
  ended_at: number | null
}

export type Progress = {
  state: CourseState
  finished: number
  /** Percent of the questions of the finished lessons, rounded down. */
  score: number | null
  /** All lessons are finished, and enough questions were answered rightly. */
  passes: boolean
  best: ReadonlyMap<string, AttemptRow>
}

/**
 * How far an account is in a course, from its attempts and reads of it. The best finished attempt of each lesson counts, for a year. `certified`: it has
 * a valid certificate.
 */
export function courseProgress(
  course: Course,
  { attempts, reads, certified }: { attempts: readonly AttemptRow[]; reads: number; certified: boolean },
  now: number,
): Progress {
  const best = new Map<string, AttemptRow>()
  for (const one of attempts) {
    if (one.ended_at === null || one.ended_at <= now - VALID_MS) continue
    if (!course.lessons.some(({ id }) => id === one.lesson)) continue
    const known = best.get(one.lesson)
    if (!known || share(one) > share(known)) best.set(one.lesson, one)
  }
  const counted = [...best.values()]
  const questions = counted.reduce((sum, one) => sum + one.questions, 0)
  const correct = counted.reduce((sum, one) => sum + one.correct, 0)
  const running = attempts.some(({ ended_at }) => ended_at === null)
  return {
    state: certified ? 'passed' : counted.length > 0 || running || reads > 0 ? 'started' : 'new',
    finished: best.size,
    score: questions === 0 ? null : Math.floor((correct * 100) / questions),
    passes: best.size === course.lessons.length && correct * 100 >= questions * TRAINING_LIMITS.pass,
    best,
  }
}

const share = ({ correct, questions }: AttemptRow) => correct / questions

import type { Generated, JSONColumnType } from 'kysely'

/** Tables of training. `course`, `lesson`, `article` and `question` are ids of the repository (knowledge/courses). */
export type TrainingTables = {
  training_reads: { user_id: number; course: string; article: string; read_at: number }
  /** Attempts at the questions of a lesson, numbered from 1; one that has not ended goes on. */
  training_attempts: {
    id: Generated<number>
    user_id: number
    course: string
    lesson: string
    number: number
    /** How many the lesson had then. */
    questions: number
    correct: Generated<number>
    started_at: number
    ended_at: number | null
  }
  /** `choice`: 0 is the right option, 1 to 3 are the wrong ones in their order in the repository. */
  training_answers: { attempt_id: number; question: string; choice: number; correct: boolean; answered_at: number }
  /** Title, minutes and score are those of the day on which it was issued. */
  training_certificates: {
    number: string
    user_id: number
    course: string
    title: JSONColumnType<{ zh: string; en: string }>
    minutes: number
    score: number
    issued_at: number
    expires_at: number
  }
  training_assignments: {
    course: string
    user_id: number
    due_at: number | null
    assigned_by: number | null
    assigned_at: number
  }
}

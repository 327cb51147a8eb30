import { z } from 'zod'
import { PAGE_NAMES, type PageName } from '../pages.ts'
import { endpoint } from './endpoint.ts'

/**
 * Training: courses of the repository, whose lessons are articles of the knowledge base and questions. Answers are judged on the server: a
 * right option and its reason are answered for questions that were answered, never before.
 */

export const TRAINING_LIMITS = {
  /** Options of a question. */
  options: 4,
  /** Percent of the questions of a course that pass it. */
  pass: 80,
  /** How long a certificate is valid and results count. */
  days: 365,
  /** Attempts at one lesson. */
  attempts: 100,
  /** Accounts of one assignment. */
  accounts: 200,
} as const

export const COURSE_STATES = {
  new: { zh: '未开始', en: 'Not started' },
  started: { zh: '进行中', en: 'In progress' },
  passed: { zh: '已结业', en: 'Passed' },
} as const
export type CourseState = keyof typeof COURSE_STATES

const StateSchema = z.enum(Object.keys(COURSE_STATES) as [CourseState, ...CourseState[]])
const language = z.enum(['zh', 'en'])
const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,79}$/)

const CertificateSchema = z.object({
  /** `AWT-` and three groups of four digits of Crockford's base 32 (no I, L, O, U), such as `AWT-7K3M-0QXZ-9D2F`. */
  number: z.string(),
  score: z.number(),
  issued_at: z.number(),
  expires_at: z.number(),
})

const CourseLineSchema = z.object({
  id: z.string(),
  title: z.string(),
  summary: z.string(),
  minutes: z.number(),
  /** All lessons, and those whose questions were answered. */
  lessons: z.number(),
  finished: z.number(),
  state: StateSchema,
  /** Percent of the questions of the finished lessons; null: none is finished. */
  score: z.number().nullable(),
  /** null: not assigned to the caller; `due_at` null: without a date. */
  assigned: z.object({ due_at: z.number().nullable() }).nullable(),
  /** The newest that is valid. */
  certificate: CertificateSchema.nullable(),
})
export type CourseLine = z.infer<typeof CourseLineSchema>

export const courses = endpoint({
  method: 'GET',
  path: '/api/training/courses/',
  summary: 'The courses in their order, with the progress of the caller; those assigned to the caller say until when',
  access: 'session',
  query: z.object({ language }),
  response: z.object({ data: z.array(CourseLineSchema) }),
})

const LessonLineSchema = z.object({
  id: z.string(),
  title: z.string(),
  minutes: z.number(),
  articles: z.array(z.object({ id: z.string(), title: z.string(), minutes: z.number(), read: z.boolean() })),
  questions: z.number(),
  /** Of the best attempt that counts; null: none was finished. */
  best: z.number().nullable(),
  /** Questions answered in the attempt that is not finished. */
  answered: z.number(),
})
export type LessonLine = z.infer<typeof LessonLineSchema>

export const course = endpoint({
  method: 'GET',
  path: '/api/training/course/',
  summary: 'One course with its lessons, their articles, and what the caller has read and answered',
  access: 'session',
  query: z.object({ language, id }),
  response: z.object({
    data: CourseLineSchema.extend({
      lessons_list: z.array(LessonLineSchema),
      /** Where what was learned is used. */
      pages: z.array(z.enum(PAGE_NAMES as [PageName, ...PageName[]])),
      /** Name of the account, as a certificate has it. */
      holder: z.string(),
    }),
  }),
  errors: ['data.missing'],
})

const QuestionSchema = z.object({
  id: z.string(),
  text: z.string(),
  /** In the order of this attempt. */
  options: z.array(z.string()),
  /** null until it is answered; `choice` and `right` are places in `options`. */
  answer: z.object({ choice: z.number(), right: z.number(), reason: z.string() }).nullable(),
})
export type TrainingQuestion = z.infer<typeof QuestionSchema>

const AttemptSchema = z.object({
  number: z.number(),
  /** All questions are answered. */
  finished: z.boolean(),
  questions: z.array(QuestionSchema),
})
export type TrainingAttempt = z.infer<typeof AttemptSchema>

export const lessonQuestions = endpoint({
  method: 'GET',
  path: '/api/training/questions/',
  summary:
    'The questions of a lesson in the newest attempt of the caller, with right option and reason of those answered',
  access: 'session',
  query: z.object({ language, course: id, lesson: id }),
  response: z.object({ data: AttemptSchema }),
  errors: ['data.missing'],
})

export const markRead = endpoint({
  method: 'POST',
  path: '/api/training/read/',
  summary: 'Mark an article of a course as read, or as unread',
  access: 'session',
  tokens: { access: false },
  body: z.object({ course: id, article: id, read: z.boolean() }),
  response: z.object({}),
  errors: ['data.missing'],
})

export const answerQuestion = endpoint({
  method: 'POST',
  path: '/api/training/answer/',
  summary:
    'Answer a question of the attempt that runs, once; the last answer that a course needs issues its certificate',
  access: 'session',
  tokens: { access: false },
  body: z.object({
    language,
    course: id,
    lesson: id,
    question: id,
    /** Number of the attempt whose order of options was shown. */
    attempt: z.number().int().min(1).max(TRAINING_LIMITS.attempts),
    choice: z
      .number()
      .int()
      .min(0)
      .max(TRAINING_LIMITS.options - 1),
  }),
  response: z.object({
    data: AttemptSchema,
    /** Issued by this answer. */
    certificate: CertificateSchema.nullable(),
  }),
  errors: ['data.missing', 'data.conflict'],
})

export const repeatLesson = endpoint({
  method: 'POST',
  path: '/api/training/repeat/',
  summary: 'Begin another attempt at the questions of a lesson, with the options in another order; the best one counts',
  access: 'session',
  tokens: { access: false },
  body: z.object({ language, course: id, lesson: id }),
  response: z.object({ data: AttemptSchema }),
  errors: ['data.missing', 'quota.reached'],
})

const number = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[\p{L}\d\s-]+$/u)

export const checkCertificate = endpoint({
  method: 'GET',
  path: '/api/training/certificate/',
  summary: 'Whose certificate a number is, for which course, and until when it is valid; for every account',
  access: 'session',
  query: z.object({ language, number }),
  response: z.object({
    data: CertificateSchema.extend({
      holder: z.string(),
      title: z.string(),
      minutes: z.number(),
      valid: z.boolean(),
      own: z.boolean(),
    }),
  }),
  errors: ['data.missing'],
})

export const downloadCertificate = endpoint({
  method: 'GET',
  path: '/api/training/certificate/file/',
  summary: 'An own certificate as PDF; those who manage accounts may download any',
  access: 'session',
  navigation: true,
  bare: true,
  tokens: { access: false },
  query: z.object({ language, number }),
  response: z.unknown(),
  errors: ['data.missing', 'request.rate'],
})

const MemberSchema = z.object({
  user: z.number(),
  username: z.string(),
  state: StateSchema,
  finished: z.number(),
  score: z.number().nullable(),
  assigned_at: z.number().nullable(),
  due_at: z.number().nullable(),
})
export type TeamMember = z.infer<typeof MemberSchema>

export const trainingTeam = endpoint({
  method: 'GET',
  path: '/api/training/team/',
  summary: 'Who was assigned a course or began it, how far each is, and the questions that most answered wrongly',
  access: ['user.manage'],
  query: z.object({ language, course: id }),
  response: z.object({
    /** Assigned first, those who have not begun before the others. */
    data: z.array(MemberSchema),
    /** Of first attempts, at least one answer in five wrong; the worst first. */
    hardest: z.array(z.object({ lesson: z.number(), question: z.number(), text: z.string(), wrong: z.number() })),
    /** Accounts to choose from. */
    accounts: z.array(z.object({ id: z.number(), username: z.string() })),
  }),
  errors: ['data.missing'],
})

const accountIds = z.array(z.number().int().min(1).max(2_147_483_647)).min(1).max(TRAINING_LIMITS.accounts)

export const assignCourse = endpoint({
  method: 'POST',
  path: '/api/training/assign/',
  summary: 'Assign a course to accounts, with a day until which it has to be passed; each is notified',
  access: ['user.manage'],
  body: z.object({ course: id, users: accountIds, due_at: z.number().int().min(0).max(4_102_444_800_000).nullable() }),
  response: z.object({ assigned: z.number(), notified: z.number() }),
  errors: ['data.missing'],
})

export const unassignCourse = endpoint({
  method: 'POST',
  path: '/api/training/unassign/',
  summary: 'Take the assignment of a course back; what was read and answered stays',
  access: ['user.manage'],
  body: z.object({ course: id, users: accountIds }),
  response: z.object({ changed: z.number() }),
  errors: ['data.missing'],
})

export const remindCourse = endpoint({
  method: 'POST',
  path: '/api/training/remind/',
  summary: 'Notify the accounts that were assigned a course and have not passed it, each at most once a day',
  access: ['user.manage'],
  body: z.object({ course: id }),
  response: z.object({ notified: z.number() }),
  errors: ['data.missing'],
})

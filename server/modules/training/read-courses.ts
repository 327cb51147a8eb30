import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { TRAINING_LIMITS } from '#contracts/http/training.ts'
import { PAGE_NAMES, type PageName } from '#contracts/pages.ts'

/**
 * Courses of the repository: one folder a course (its name is the id) with `course.yaml`. A lesson is one or more articles of
 * the knowledge base by id, and three to five questions. A question has one right option, three wrong ones and a reason, in both languages;
 * ids of lessons and questions are kept in results, so they never change.
 */

const LIMITS = { bytes: 200_000, lessons: { min: 4, max: 12 }, articles: 4, questions: { min: 3, max: 5 } } as const
const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,79}$/)
const wrongOptions = TRAINING_LIMITS.options - 1

const QuestionTextSchema = z.strictObject({
  text: z.string().min(6).max(300),
  right: z.string().min(1).max(200),
  wrong: z.array(z.string().min(1).max(200)).length(wrongOptions),
  /** Why the right option is right; it names no option by its place, since the places change. */
  reason: z.string().min(10).max(500),
})
const QuestionSchema = z.strictObject({ id, zh: QuestionTextSchema, en: QuestionTextSchema })
const LessonSchema = z.strictObject({
  id,
  minutes: z.number().int().min(3).max(90),
  zh: z.string().min(2).max(40),
  en: z.string().min(2).max(80),
  articles: z.array(id).min(1).max(LIMITS.articles),
  questions: z.array(QuestionSchema).min(LIMITS.questions.min).max(LIMITS.questions.max),
})
const TitleSchema = z.strictObject({ title: z.string().min(2).max(60), summary: z.string().min(10).max(200) })
const CourseSchema = z.strictObject({
  /** Its place in the list. */
  place: z.number().int().min(1).max(100),
  pages: z.array(z.enum(PAGE_NAMES as [PageName, ...PageName[]])).max(6),
  zh: TitleSchema,
  en: TitleSchema,
  lessons: z.array(LessonSchema).min(LIMITS.lessons.min).max(LIMITS.lessons.max),
})

export type Question = z.infer<typeof QuestionSchema>
export type Lesson = z.infer<typeof LessonSchema>
export type Course = z.infer<typeof CourseSchema> & { id: string; minutes: number }

/** A course that is not as it has to be; the message names it. */
export class CourseError extends Error {}

/** Every course below a folder, in their order. `hasArticle` says whether the knowledge base has one of that id. Throws CourseError. */
export function readCourses(folder: string, hasArticle: (id: string) => boolean): Course[] {
  const courses = readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => readCourse(join(folder, name), name, hasArticle))
    .toSorted((a, b) => a.place - b.place)
  const places = courses.map(({ place }) => place)
  if (new Set(places).size !== places.length) throw new CourseError(`two courses have one place: ${places.join(', ')}`)
  return courses
}

function readCourse(folder: string, name: string, hasArticle: (id: string) => boolean): Course {
  try {
    const path = join(folder, 'course.yaml')
    if (!existsSync(path)) throw new CourseError('course.yaml is missing')
    const text = readFileSync(path, 'utf8')
    if (text.length > LIMITS.bytes) throw new CourseError('course.yaml is too long')
    return parseCourse(text, id.parse(name), hasArticle)
  } catch (error) {
    throw new CourseError(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** One course from its text. Throws CourseError and the errors of schema and YAML. */
export function parseCourse(text: string, name: string, hasArticle: (id: string) => boolean): Course {
  const course = CourseSchema.parse(parse(text))
  const articles = course.lessons.flatMap((lesson) => lesson.articles)
  const missing = articles.filter((article) => !hasArticle(article))
  if (missing.length > 0) throw new CourseError(`there is no article ${missing.join(', ')}`)
  refuseTwice('article', articles)
  refuseTwice(
    'lesson',
    course.lessons.map((lesson) => lesson.id),
  )
  for (const lesson of course.lessons) {
    refuseTwice(
      `question of ${lesson.id}`,
      lesson.questions.map((question) => question.id),
    )
    for (const question of lesson.questions)
      for (const language of ['zh', 'en'] as const) {
        const { right, wrong } = question[language]
        refuseTwice(`option of ${lesson.id} ${question.id}`, [right, ...wrong])
      }
  }
  return { ...course, id: name, minutes: course.lessons.reduce((sum, { minutes }) => sum + minutes, 0) }
}

function refuseTwice(what: string, names: readonly string[]): void {
  const twice = names.find((one, at) => names.indexOf(one) !== at)
  if (twice !== undefined) throw new CourseError(`${what} is there twice: ${twice}`)
}

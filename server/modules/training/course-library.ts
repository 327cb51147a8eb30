import { join } from 'node:path'
import { ProductError } from '#contracts/errors.ts'
import { knowledgeFolder, library } from '../knowledge/library.ts'
import { type Course, type Lesson, type Question, readCourses } from './read-courses.ts'

let known: readonly Course[] | undefined
/** The courses of this installation, read once. Throws CourseError where one is not as it has to be. */
export function courseLibrary(): readonly Course[] {
  known ??= readCourses(join(knowledgeFolder(), 'courses'), (id) => library().find(id)?.id === id)
  return known
}

/** Throws data.missing. */
export function findCourse(id: string): Course {
  const course = courseLibrary().find((one) => one.id === id)
  if (!course) throw new ProductError('data.missing')
  return course
}

/** Throws data.missing. */
export function findLesson(course: Course, id: string): Lesson {
  const lesson = course.lessons.find((one) => one.id === id)
  if (!lesson) throw new ProductError('data.missing')
  return lesson
}

/** Throws data.missing. */
export function findQuestion(lesson: Lesson, id: string): Question {
  const question = lesson.questions.find((one) => one.id === id)
  if (!question) throw new ProductError('data.missing')
  return question
}

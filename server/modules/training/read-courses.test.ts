import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { PAGES } from '#contracts/pages.ts'
import { readArticles } from '../knowledge/read-articles.ts'
import { type Course, parseCourse, readCourses } from './read-courses.ts'

const ARTICLES = new Set(readArticles(resolve('knowledge/articles')).map(({ id }) => id))
const COURSES = readCourses(resolve('knowledge/courses'), (id) => ARTICLES.has(id))
const questions = COURSES.flatMap((course) =>
  course.lessons.flatMap((lesson) =>
    lesson.questions.flatMap((question) =>
      (['zh', 'en'] as const).map((language) => ({
        at: `${course.id} ${lesson.id} ${question.id} ${language}`,
        language,
        text: question[language],
      })),
    ),
  ),
)

test('[KNOW-01] there are at least five courses of at least four lessons, each with three to five questions', () => {
  expect(COURSES.length).toBeGreaterThanOrEqual(5)
  for (const { id, lessons } of COURSES) {
    expect(lessons.length, id).toBeGreaterThanOrEqual(4)
    for (const lesson of lessons) {
      expect(lesson.questions.length, `${id} ${lesson.id}`).toBeGreaterThanOrEqual(3)
      expect(lesson.questions.length, `${id} ${lesson.id}`).toBeLessThanOrEqual(5)
    }
  }
})

test('every question is asked once, in Chinese and in English, and ends its reason with a full stop', () => {
  for (const { at, language, text } of questions) {
    expect(text.reason, at).toMatch(language === 'zh' ? /。$/ : /\.$/)
    expect(/\p{Script=Han}/u.test(text.text), at).toBe(language === 'zh')
    expect(text.text, at).toMatch(language === 'zh' ? /[？：]$/ : /\?$/)
  }
  const asked = questions.map(({ language, text }) => `${language} ${text.text}`)
  expect(asked.filter((one, at) => asked.indexOf(one) !== at)).toEqual([])
})

test('no reason names an option by its place, since attempts show them in different orders', () => {
  const named = questions.filter(({ text }) =>
    /选项|第[一二三四]个|\b(?:option|answer) [A-D1-4]\b|\bthe (?:first|second|third|fourth) (?:option|answer)\b/i.test(
      text.reason,
    ),
  )
  expect(named.map(({ at }) => at)).toEqual([])
})

test('the right option is the longest one in hardly more than half of the questions: its length gives little away', () => {
  const long = questions.filter(({ text }) => text.right.length > Math.max(...text.wrong.map((one) => one.length)))
  expect(long.length / questions.length).toBeLessThan(0.55)
})

test('the pages that a course leads to exist, and open by their path alone', () => {
  for (const { id, pages } of COURSES)
    for (const page of pages) {
      expect(PAGES[page].path, `${id} ${page}`).not.toContain(':')
      expect(PAGES[page].built, `${id} ${page}`).toBe(true)
    }
})

const [first] = COURSES as [Course]
const { id: _id, minutes: _minutes, ...source } = first
/** The first course with one change, as the repository would have it. */
const changed = (change: (course: typeof source) => void) => {
  const copy = structuredClone(source)
  change(copy)
  return () => parseCourse(stringify(copy), 'changed', (id) => ARTICLES.has(id))
}

test('a course that is sound is read; its minutes are those of its lessons', () => {
  const read = changed(() => {})()
  expect(read.minutes).toBe(first.lessons.reduce((sum, { minutes }) => sum + minutes, 0))
})

test.each<[string, (course: typeof source) => void, RegExp]>([
  ['an article that does not exist', ({ lessons }) => lessons[0]?.articles.push('no-such-article'), /no article/],
  ['an article twice', ({ lessons }) => lessons[1]?.articles.push(lessons[0]?.articles[0] ?? ''), /there twice/],
  ['a language that is missing', ({ lessons }) => Reflect.deleteProperty(lessons[0]?.questions[0] ?? {}, 'en'), /en/],
  ['two wrong options', ({ lessons }) => lessons[0]?.questions[0]?.zh.wrong.pop(), /wrong/],
  ['four wrong options', ({ lessons }) => lessons[0]?.questions[0]?.zh.wrong.push('另一个'), /wrong/],
  [
    'a wrong option that is the right one',
    ({ lessons }) => {
      const question = lessons[0]?.questions[0]?.en
      if (question) question.wrong[0] = question.right
    },
    /there twice/,
  ],
  ['no reason', ({ lessons }) => Reflect.deleteProperty(lessons[0]?.questions[0]?.zh ?? {}, 'reason'), /reason/],
  ['two questions', ({ lessons }) => lessons[0]?.questions.splice(0, 2), /questions/],
  ['three lessons', ({ lessons }) => lessons.splice(0, 2), /lessons/],
  ['a field that nothing reads', (course) => Object.assign(course, { note: 'later' }), /note/],
])('a course with %s is refused, and the error says what', (_what, change, error) => {
  expect(changed(change)).toThrow(error)
})

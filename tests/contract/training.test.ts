import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { notifications } from '#contracts/http/notifications.ts'
import {
  answerQuestion,
  assignCourse,
  checkCertificate,
  course,
  courses,
  downloadCertificate,
  lessonQuestions,
  markRead,
  remindCourse,
  repeatLesson,
  trainingTeam,
  unassignCourse,
} from '#contracts/http/training.ts'
import { tellTraining } from '#server/modules/training/training-notices.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

const DAY = 86_400_000
const COURSE = 'signatures-and-channels'
type Source = {
  lessons: { id: string; articles: string[]; questions: { id: string; zh: { right: string; reason: string } }[] }[]
}
const source = parse(readFileSync(`knowledge/courses/${COURSE}/course.yaml`, 'utf8')) as Source
const [firstLesson] = source.lessons as [Source['lessons'][number]]
const missing = { code: 500002 }

let http: HttpApp
const clients = {} as Record<'admin' | 'alice' | 'bob' | 'eve', ConsoleClient>
const ids = {} as Record<keyof typeof clients, number>
beforeAll(async () => {
  http = await startHttpApp()
  for (const [name, role] of [
    ['admin', 'administrator'],
    ['alice', 'operator'],
    ['bob', 'auditor'],
    ['eve', 'multi_channel'],
  ] as const) {
    ids[name] = await http.addUser(`${name}@example.com`, role)
    clients[name] = new ConsoleClient(http.url, () => Date.now() + http.clock.offset)
    await clients[name].signIn(`${name}@example.com`, PASSWORD, CODE)
  }
}, 60_000)
afterAll(() => http?.close())

const line = async (client: ConsoleClient) =>
  (await good(client, courses, { query: { language: 'zh' } })).data.find(({ id }) => id === COURSE)
const asked = async (client: ConsoleClient, lesson: string) =>
  (await good(client, lessonQuestions, { query: { language: 'zh', course: COURSE, lesson } })).data

/** Answers every open question of a lesson; the first `wrong` ones wrongly. */
async function answerAll(client: ConsoleClient, lesson: string, wrong = 0) {
  const { number, questions } = await asked(client, lesson)
  const texts = source.lessons.find(({ id }) => id === lesson)?.questions ?? []
  let last: Awaited<ReturnType<typeof answerOne>> | undefined
  const answerOne = (question: string, choice: number) =>
    good(client, answerQuestion, {
      body: { language: 'zh', course: COURSE, lesson, question, attempt: number, choice },
    })
  for (const [at, question] of questions.entries()) {
    const right = question.options.indexOf(texts.find(({ id }) => id === question.id)?.zh.right ?? '')
    last = await answerOne(question.id, at < wrong ? (right + 1) % 4 : right)
  }
  return last
}

test('[KNOW-01] courses are listed in both languages with what the caller did, which is nothing at first', async () => {
  const zh = await good(clients.alice, courses, { query: { language: 'zh' } })
  const en = await good(clients.alice, courses, { query: { language: 'en' } })
  expect(zh.data.length).toBeGreaterThanOrEqual(5)
  expect(en.data.map(({ id }) => id)).toEqual(zh.data.map(({ id }) => id))
  expect(await line(clients.alice)).toMatchObject({
    ...{ title: '发布工程师：签名与渠道', state: 'new', finished: 0, score: null, assigned: null, certificate: null },
    lessons: source.lessons.length,
  })
  const { data } = await good(clients.alice, course, { query: { language: 'en', id: COURSE } })
  expect(data.lessons_list.map(({ id }) => id)).toEqual(source.lessons.map(({ id }) => id))
  expect(data.lessons_list[0]).toMatchObject({ best: null, answered: 0 })
  const unknown = await clients.alice.call(course, { query: { language: 'zh', id: 'no-such-course' } })
  expect(unknown.body).toMatchObject(missing)
})

test('an article of the course is marked as read and as unread, for the caller alone; any other is refused', async () => {
  const article = firstLesson.articles[0] as string
  const mark = (name: string, read: boolean) =>
    clients.alice.call(markRead, { body: { course: COURSE, article: name, read } })
  const isRead = async (client: ConsoleClient) =>
    (await good(client, course, { query: { language: 'zh', id: COURSE } })).data.lessons_list[0]?.articles[0]?.read
  expect((await mark(article, true)).body['code']).toBe(0)
  expect((await mark(article, true)).body['code']).toBe(0)
  expect([await isRead(clients.alice), await isRead(clients.bob)]).toEqual([true, false])
  expect((await line(clients.alice))?.state).toBe('started')
  expect((await mark(article, false)).body['code']).toBe(0)
  expect(await isRead(clients.alice)).toBe(false)
  expect((await mark('clipboard', true)).body).toMatchObject(missing)
})

test('right options and reasons leave the server with the answer alone, and an answer stays', async () => {
  const before = await clients.alice.call(lessonQuestions, {
    query: { language: 'zh', course: COURSE, lesson: firstLesson.id },
  })
  for (const { zh } of firstLesson.questions) expect(before.text).not.toContain(zh.reason.slice(0, 12))
  expect(before.text).not.toContain('"right"')
  const { number, questions } = await asked(clients.alice, firstLesson.id)
  const [question] = questions as [(typeof questions)[number]]
  const text = firstLesson.questions[0]?.zh
  const right = question.options.indexOf(text?.right ?? '')
  const wrong = (right + 1) % 4
  const body = {
    language: 'zh',
    course: COURSE,
    lesson: firstLesson.id,
    question: question.id,
    attempt: number,
  } as const
  const { data } = await good(clients.alice, answerQuestion, { body: { ...body, choice: wrong } })
  expect(data.questions[0]?.answer).toEqual({ choice: wrong, right, reason: text?.reason })
  expect(data.questions[1]?.answer).toBeNull()
  const again = await good(clients.alice, answerQuestion, { body: { ...body, choice: right } })
  expect(again.data.questions[0]?.answer?.choice).toBe(wrong)
  const other = await clients.alice.call(answerQuestion, { body: { ...body, attempt: 2, choice: right } })
  expect(other.body['code']).toBe(500003)
  const outside = await clients.alice.call(answerQuestion, { body: { ...body, choice: 4 } })
  expect(outside.body['code']).toBe(500001)
  expect((await asked(clients.bob, firstLesson.id)).questions.every(({ answer }) => answer === null)).toBe(true)
  const { data: open } = await good(clients.alice, course, { query: { language: 'zh', id: COURSE } })
  expect(open.lessons_list[0]).toMatchObject({ answered: 1, best: null })
})

test('a lesson below the mark is repeated with another order, the best attempt counts, 80 % pass and issue a certificate', async () => {
  await answerAll(clients.alice, firstLesson.id)
  const finished = await asked(clients.alice, firstLesson.id)
  expect(finished.finished).toBe(true)
  const { data: second } = await good(clients.alice, repeatLesson, {
    body: { language: 'zh', course: COURSE, lesson: firstLesson.id },
  })
  expect(second).toMatchObject({ number: 2, finished: false })
  // One that runs goes on.
  const { data: same } = await good(clients.alice, repeatLesson, {
    body: { language: 'zh', course: COURSE, lesson: firstLesson.id },
  })
  expect(same).toEqual(second)
  const order = ({ questions }: typeof second) => questions.flatMap(({ options }) => options).join()
  expect(order(second)).not.toBe(order({ ...finished }))
  await answerAll(clients.alice, firstLesson.id, 4)
  expect((await line(clients.alice))?.score).toBe(75)
  let last: Awaited<ReturnType<typeof answerAll>>
  for (const { id } of source.lessons.slice(1)) {
    expect(last?.certificate ?? null).toBeNull()
    last = await answerAll(clients.alice, id)
  }
  const certificate = last?.certificate
  expect(certificate).toMatchObject({ number: expect.stringMatching(/^AWT(?:-[0-9A-HJKMNP-TV-Z]{4}){3}$/) })
  const listed = await line(clients.alice)
  expect(listed).toMatchObject({ state: 'passed', finished: source.lessons.length, certificate })
  expect(listed?.score).toBeGreaterThanOrEqual(80)
  expect((certificate?.expires_at ?? 0) - (certificate?.issued_at ?? 0)).toBe(365 * DAY)
  const rows = await http.meta.db.selectFrom('training_certificates').selectAll().execute()
  expect(rows).toHaveLength(1)
})

test('below 80 % nothing is issued', async () => {
  for (const { id } of source.lessons) {
    const last = await answerAll(clients.bob, id, 1)
    expect(last?.certificate ?? null).toBeNull()
  }
  expect(await line(clients.bob)).toMatchObject({
    state: 'started',
    finished: source.lessons.length,
    certificate: null,
  })
})

test('every account checks a number, however it is typed; a number that was not issued does not exist', async () => {
  const number = (await line(clients.alice))?.certificate?.number as string
  const check = (text: string) => clients.eve.call(checkCertificate, { query: { language: 'en', number: text } })
  for (const text of [number, number.toLowerCase().replaceAll('-', ' '), number.slice(4)])
    expect((await check(text)).body['data']).toMatchObject({
      ...{ number, holder: 'alice@example.com', valid: true, own: false },
      title: 'Release engineer: signatures and channels',
    })
  for (const text of ['AWT-0000-0000-0000', 'AWT', `${number}0`])
    expect((await check(text)).body).toMatchObject(missing)
})

test('a certificate is downloaded as PDF in both languages by its holder and by administrators of accounts, and by no other account', async () => {
  const number = (await line(clients.alice))?.certificate?.number as string
  for (const [client, language] of [
    [clients.alice, 'zh'],
    [clients.admin, 'en'],
  ] as const) {
    const { status, headers, text } = await client.call(downloadCertificate, { query: { language, number } })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(headers.get('content-disposition')).toContain(`${number}.pdf`)
    expect(text.startsWith('%PDF-')).toBe(true)
    expect(text.length).toBeGreaterThan(5000)
  }
  const refused = await clients.bob.call(downloadCertificate, { query: { language: 'zh', number } })
  expect([refused.status, refused.body['code']]).toEqual([404, 500002])
}, 120_000)

test('the team is for those who manage accounts: assigned and begun, first answers that were wrong', async () => {
  const body = { course: COURSE, users: [ids.alice, ids.eve], due_at: http.deps.now() + 10 * DAY }
  for (const name of ['alice', 'bob', 'eve'] as const)
    for (const [endpoint, input] of [
      [trainingTeam, { query: { language: 'zh', course: COURSE } }],
      [assignCourse, { body }],
      [unassignCourse, { body: { course: COURSE, users: [ids.alice] } }],
      [remindCourse, { body: { course: COURSE } }],
    ] as const)
      expect((await clients[name].call(endpoint, input)).body['code']).toBe(500018)
  expect(await good(clients.admin, assignCourse, { body })).toMatchObject({ assigned: 2, notified: 2 })
  const strangers = await clients.admin.call(assignCourse, { body: { ...body, users: [ids.eve, 999_999] } })
  expect(strangers.body).toMatchObject(missing)
  const team = await good(clients.admin, trainingTeam, { query: { language: 'zh', course: COURSE } })
  expect(team.data.map(({ username, state }) => [username, state])).toEqual([
    ['eve@example.com', 'new'],
    ['alice@example.com', 'passed'],
    ['bob@example.com', 'started'],
  ])
  expect(team.hardest[0]).toMatchObject({ lesson: 1, question: 1, text: expect.any(String), wrong: 1 })
  expect((await line(clients.eve))?.assigned).toEqual({ due_at: body.due_at })
  expect((await line(clients.bob))?.assigned).toBeNull()
})

test('an assigned account is notified, reminded once a day and when its day is near or past; one that passed is not', async () => {
  const titlesOf = async (client: ConsoleClient) =>
    (await good(client, notifications, { query: { kind: 'platform' } })).data
      .filter(({ to }) => to === `/knowledge/training?course=${COURSE}`)
      .map(({ title }) => title.zh)
  expect(await titlesOf(clients.eve)).toEqual(['分派了课程“发布工程师：签名与渠道”'])
  const remind = async () => (await good(clients.admin, remindCourse, { body: { course: COURSE } })).notified
  expect([await remind(), await remind()]).toEqual([1, 0])
  const look = (days: number) => tellTraining(http.meta, { zone: 'Asia/Shanghai', now: http.deps.now() + days * DAY })
  await look(5)
  expect(await titlesOf(clients.eve)).toHaveLength(2)
  for (const days of [8, 9, 11, 12]) await look(days)
  expect(await titlesOf(clients.eve)).toEqual([
    '课程“发布工程师：签名与渠道”已过期限',
    '课程“发布工程师：签名与渠道”还没有完成',
    '课程“发布工程师：签名与渠道”还没有完成',
    '分派了课程“发布工程师：签名与渠道”',
  ])
  expect(await titlesOf(clients.alice)).toEqual(['分派了课程“发布工程师：签名与渠道”'])
  const taken = await good(clients.admin, unassignCourse, { body: { course: COURSE, users: [ids.eve] } })
  expect(taken.changed).toBe(1)
  expect((await line(clients.eve))?.assigned).toBeNull()
})

test('a lesson that an update gives more or fewer questions leaves no attempt without an end', async () => {
  const { db } = http.meta
  const [, { id: lesson, questions }] = source.lessons as [unknown, Source['lessons'][number]]
  const attempt = async (number: number) =>
    await db
      .selectFrom('training_attempts')
      .select(['id', 'correct', 'ended_at'])
      .where('user_id', '=', ids.bob)
      .where('lesson', '=', lesson)
      .where('number', '=', number)
      .executeTakeFirstOrThrow()
  const repeat = async () =>
    (await good(clients.bob, repeatLesson, { body: { language: 'zh', course: COURSE, lesson } })).data
  // As if the first question had come after the attempt ended.
  await db
    .deleteFrom('training_answers')
    .where('attempt_id', '=', (await attempt(1)).id)
    .where('question', '=', questions[0]?.id ?? '')
    .execute()
  const ended = await asked(clients.bob, lesson)
  expect(ended.questions.map(({ id, answer }) => [id, answer !== null])).toEqual(
    questions.slice(1).map(({ id }) => [id, true]),
  )
  expect((await repeat()).number).toBe(2)
  await answerAll(clients.bob, lesson, 1)
  // As if a question more had been open until the update took it out.
  await db
    .updateTable('training_attempts')
    .set({ ended_at: null, correct: 0 })
    .where('id', '=', (await attempt(2)).id)
    .execute()
  expect((await repeat()).number).toBe(3)
  expect(await attempt(2)).toMatchObject({ correct: questions.length - 1, ended_at: expect.any(Number) })
})

test('every change is in the audit trail with its course, and no answer is', async () => {
  const rows = await http.meta.db
    .selectFrom('audit_log')
    .select(['action', 'target', 'detail'])
    .where('target', '=', COURSE)
    .execute()
  const actions = new Set(rows.map(({ action }) => action))
  for (const action of ['answerQuestion', 'repeatLesson', 'markRead', 'assignCourse', 'unassignCourse', 'remindCourse'])
    expect(actions).toContain(action)
  for (const { zh } of firstLesson.questions) expect(JSON.stringify(rows)).not.toContain(zh.right)
})

test('after a year a certificate is no longer valid, and results no longer count', async () => {
  const number = (await line(clients.alice))?.certificate?.number as string
  await http.meta.db
    .updateTable('training_certificates')
    .set(({ eb }) => ({ expires_at: eb('expires_at', '-', 366 * DAY) }))
    .execute()
  await http.meta.db
    .updateTable('training_attempts')
    .set(({ eb }) => ({ ended_at: eb('ended_at', '-', 366 * DAY) }))
    .execute()
  const checked = await good(clients.alice, checkCertificate, { query: { language: 'zh', number } })
  expect(checked.data).toMatchObject({ valid: false, own: true })
  expect(await line(clients.alice)).toMatchObject({ state: 'new', finished: 0, score: null, certificate: null })
})

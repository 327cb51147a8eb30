import { sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import { assignCourse, remindCourse, type TeamMember, trainingTeam, unassignCourse } from '#contracts/http/training.ts'
import { groupBy } from '#runtime/group-by.ts'
import type { Module } from '../../http/module.ts'
import { notify } from '../../platform/notify.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import { findCourse } from './course-library.ts'
import { courseProgress, VALID_MS } from './course-progress.ts'
import { assignedNotice, openAssignments, remindNotice } from './training-notices.ts'

const LIMITS = { accounts: 2000, attempts: 100_000, hardest: 5 } as const
/** Share of first answers that were wrong from which a question counts as hard. */
const HARD = 0.2

/** For those who manage accounts: who was assigned a course, how far everybody is, reminders. */
export const teamModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(trainingTeam, async ({ query }) => {
    const course = findCourse(query.course)
    const now = deps.now()
    const [accounts, assignments, attempts, reads, certificates, hardest] = await Promise.all([
      db
        .selectFrom('users')
        .select(['id', 'username'])
        .where('disabled', '=', false)
        .orderBy('username')
        .limit(LIMITS.accounts)
        .execute(),
      db
        .selectFrom('training_assignments')
        .select(['user_id', 'due_at', 'assigned_at'])
        .where('course', '=', course.id)
        .execute(),
      db
        .selectFrom('training_attempts')
        .select(['user_id', 'lesson', 'number', 'questions', 'correct', 'started_at', 'ended_at'])
        .where('course', '=', course.id)
        .where((where) => where.or([where('ended_at', 'is', null), where('ended_at', '>', now - VALID_MS)]))
        .limit(LIMITS.attempts)
        .execute(),
      db
        .selectFrom('training_reads')
        .select('user_id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('course', '=', course.id)
        .groupBy('user_id')
        .execute(),
      db
        .selectFrom('training_certificates')
        .select('user_id')
        .distinct()
        .where('course', '=', course.id)
        .where('expires_at', '>', now)
        .execute(),
      db
        .selectFrom('training_attempts')
        .innerJoin('training_answers', 'training_answers.attempt_id', 'training_attempts.id')
        .select(['lesson', 'question'])
        .select(sql<number>`avg(case when training_answers.correct then 0 else 1 end)::float8`.as('wrong'))
        .where('course', '=', course.id)
        .where('number', '=', 1)
        .groupBy(['lesson', 'question'])
        .having(sql<boolean>`avg(case when training_answers.correct then 0 else 1 end) >= ${HARD}`)
        .orderBy('wrong', 'desc')
        .orderBy('lesson')
        .orderBy('question')
        .limit(LIMITS.hardest)
        .execute(),
    ])
    const assigned = new Map(assignments.map((one) => [one.user_id, one]))
    const tried = groupBy(attempts, ({ user_id }) => user_id)
    const read = new Map(reads.map(({ user_id, count }) => [user_id, Number(count)]))
    const certified = new Set(certificates.map(({ user_id }) => user_id))
    const members = accounts.flatMap(({ id, username }): TeamMember[] => {
      const { state, finished, score } = courseProgress(
        course,
        { attempts: tried.get(id) ?? [], reads: read.get(id) ?? 0, certified: certified.has(id) },
        now,
      )
      const assignment = assigned.get(id)
      if (!assignment && state === 'new') return []
      const { assigned_at = null, due_at = null } = assignment ?? {}
      return [{ user: id, username, state, finished, score, assigned_at, due_at }]
    })
    return {
      data: members.toSorted((a, b) => rank(a) - rank(b) || (a.username < b.username ? -1 : 1)),
      hardest: hardest.flatMap(({ lesson, question, wrong }) => {
        const at = course.lessons.findIndex(({ id }) => id === lesson)
        const place = course.lessons[at]?.questions.findIndex(({ id }) => id === question) ?? -1
        const found = course.lessons[at]?.questions[place]
        return found ? [{ lesson: at + 1, question: place + 1, text: found[query.language].text, wrong }] : []
      }),
      accounts,
    }
  })

  mount(assignCourse, async ({ body, caller, audit }) => {
    const course = findCourse(body.course)
    const users = [...new Set(body.users)]
    const rows = await db
      .selectFrom('users')
      .select(['id', 'username'])
      .where('id', 'in', users)
      .where('disabled', '=', false)
      .execute()
    if (rows.length !== users.length) throw new ProductError('data.missing')
    const day = body.due_at === null ? '' : ` ${zonedTime(body.due_at, deps.settings().zone).slice(0, 10)}`
    audit(course.id, `${rows.map(({ username }) => username).join(', ')}${day}`.slice(0, 1000))
    const now = deps.now()
    await db
      .insertInto('training_assignments')
      .values(
        users.map((user_id) => ({
          ...{ course: course.id, user_id, due_at: body.due_at, assigned_by: caller.userId, assigned_at: now },
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['course', 'user_id'])
          .doUpdateSet({ due_at: body.due_at, assigned_by: caller.userId, assigned_at: now }),
      )
      .execute()
    const notice = assignedNotice(course, body.due_at, { zone: deps.settings().zone, now })
    const notified = await notify(deps.meta, { ...notice, to: { users } }, now)
    return { assigned: users.length, notified: notified.length }
  })

  mount(unassignCourse, async ({ body, audit }) => {
    const course = findCourse(body.course)
    audit(course.id, body.users.join(', '))
    const { numDeletedRows } = await db
      .deleteFrom('training_assignments')
      .where('course', '=', course.id)
      .where('user_id', 'in', body.users)
      .executeTakeFirst()
    return { changed: Number(numDeletedRows) }
  })

  mount(remindCourse, async ({ body, audit }) => {
    const course = findCourse(body.course)
    const now = deps.now()
    const { zone } = deps.settings()
    const open = await openAssignments(deps.meta, now, course.id)
    let notified = 0
    for (const [due, rows] of groupBy(open, ({ due_at }) => due_at)) {
      const users = rows.map(({ user_id }) => user_id)
      const notice = remindNotice(course, due, { zone, now })
      notified += (await notify(deps.meta, { ...notice, to: { users } }, now)).length
    }
    audit(course.id, `${notified} notified`)
    return { notified }
  })
}

const ORDER = ['new', 'started', 'passed']
const rank = ({ assigned_at, state }: TeamMember) => (assigned_at === null ? 10 : 0) + ORDER.indexOf(state)

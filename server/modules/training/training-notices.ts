import { groupBy } from '#runtime/group-by.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { type Notice, notify } from '../../platform/notify.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import { courseLibrary } from './course-library.ts'
import type { Course } from './read-courses.ts'

const DAY_MS = 86_400_000
/** An assignment is reminded of when so little time is left, and once more when its day has passed. */
const SOON_MS = 3 * DAY_MS
/** What is late for longer is left alone. */
const LATE_MS = 30 * DAY_MS

type At = { zone: string; now: number }
type Unaddressed = Omit<Notice, 'to'>

const pathOf = (course: Course) => `/knowledge/training?course=${course.id}`
const dayOf = (at: number, zone: string) => zonedTime(at, zone).slice(0, 10)

function dueNote(due: number | null, zone: string): { zh: string; en: string } {
  if (due === null) return { zh: '', en: '' }
  const day = dayOf(due, zone)
  return { zh: `请在 ${day} 前完成`, en: `To be passed by ${day}` }
}

export function assignedNotice(course: Course, due: number | null, { zone, now }: At): Unaddressed {
  return {
    ...{ kind: 'platform', state: 'info', path: pathOf(course), note: dueNote(due, zone) },
    key: `training:${course.id}:assigned:${now}`,
    title: { zh: `分派了课程“${course.zh.title}”`, en: `Course assigned: ${course.en.title}` },
  }
}

/** An account gets one a day. */
export function remindNotice(course: Course, due: number | null, { zone, now }: At): Unaddressed {
  return {
    ...{ kind: 'platform', state: 'warn', path: pathOf(course), note: dueNote(due, zone) },
    key: `training:${course.id}:remind:${dayOf(now, zone)}`,
    title: { zh: `课程“${course.zh.title}”还没有完成`, en: `Course not passed yet: ${course.en.title}` },
  }
}

/** Assignments of accounts that hold no valid certificate of the course. */
export async function openAssignments({ db }: MetaStore, now: number, course?: string) {
  let select = db
    .selectFrom('training_assignments as assignment')
    .innerJoin('users', 'users.id', 'assignment.user_id')
    .select(['assignment.course', 'assignment.user_id', 'assignment.due_at'])
    .where('users.disabled', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('training_certificates as certificate')
            .select('certificate.number')
            .whereRef('certificate.user_id', '=', 'assignment.user_id')
            .whereRef('certificate.course', '=', 'assignment.course')
            .where('certificate.expires_at', '>', now),
        ),
      ),
    )
  if (course !== undefined) select = select.where('assignment.course', '=', course)
  return await select.execute()
}

/** Reminds of assignments that are due soon or late. May be called often: each is sent once. */
export async function tellTraining(meta: MetaStore, { zone, now }: At): Promise<void> {
  const courses = new Map(courseLibrary().map((one) => [one.id, one]))
  const open = await openAssignments(meta, now)
  for (const rows of groupBy(open, (one) => `${one.course} ${one.due_at}`).values()) {
    const { course: id, due_at: due } = rows[0] as (typeof open)[number]
    const course = courses.get(id)
    if (!course || due === null || due - now > SOON_MS || now - due > LATE_MS) continue
    const isLate = due < now
    const notice: Unaddressed = {
      ...remindNotice(course, due, { zone, now }),
      key: `training:${course.id}:${isLate ? 'late' : 'soon'}:${due}`,
      ...(isLate && {
        state: 'bad',
        title: { zh: `课程“${course.zh.title}”已过期限`, en: `Course overdue: ${course.en.title}` },
      }),
    }
    await notify(meta, { ...notice, to: { users: rows.map(({ user_id }) => user_id) } }, now)
  }
}

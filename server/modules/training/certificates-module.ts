import { ProductError } from '#contracts/errors.ts'
import { checkCertificate, downloadCertificate } from '#contracts/http/training.ts'
import { clientGone } from '../../http/client-gone.ts'
import type { Module } from '../../http/module.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { reportFrame } from '../reports/report-frame.ts'
import { writeReport } from '../reports/write/write-report.ts'
import { certificateDocument } from './certificate-document.ts'
import { normalNumber } from './certificate-number.ts'
import { courseLibrary } from './course-library.ts'
import { certificateOf, findCertificate } from './training-store.ts'

/** Documents that are written at a time: each has a process of its own. */
const MOST_WRITERS = 2

/** Certificates: checked by their number by every account, downloaded by their holder and those who manage accounts. */
export const certificatesModule: Module = (mount, deps) => {
  const writers = new Set<number>()

  /** Throws data.missing. */
  async function find(number: string) {
    const row = await findCertificate(deps.meta, normalNumber(number))
    if (!row) throw new ProductError('data.missing')
    return row
  }

  mount(checkCertificate, async ({ query, caller }) => {
    const row = await find(query.number)
    return {
      data: {
        ...certificateOf(row),
        ...{ holder: row.username, title: row.title[query.language], minutes: row.minutes },
        valid: row.expires_at > deps.now(),
        own: row.user_id === caller.userId,
      },
    }
  })

  mount(downloadCertificate, async ({ query, caller, reply, audit }) => {
    const row = await find(query.number)
    if (row.user_id !== caller.userId && !caller.auth.includes('user.manage')) throw new ProductError('data.missing')
    if (writers.size >= MOST_WRITERS || writers.has(caller.userId)) throw new ProductError('request.rate')
    audit(row.number, row.username)
    writers.add(caller.userId)
    try {
      const { language } = query
      const document = {
        ...(await reportFrame(deps, language)),
        ...certificateDocument(row, {
          language,
          zone: deps.settings().zone,
          course: courseLibrary().find(({ id }) => id === row.course),
        }),
      }
      const bytes = await writeReport({ format: 'pdf', document }, clientGone(reply))
      reply.header('content-type', 'application/pdf')
      reply.header('content-disposition', attachment(`${document.subject} ${row.number}.pdf`))
      reply.header('x-content-type-options', 'nosniff')
      return Buffer.from(bytes)
    } finally {
      writers.delete(caller.userId)
    }
  })
}

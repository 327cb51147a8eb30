import { ProductError } from '#contracts/errors.ts'
import { STORED_FORMATS } from '#contracts/http/reports/make-report.ts'
import {
  mailReport,
  reportDeliveries,
  revokeShare,
  sharedFile,
  sharedPage,
  sharedReport,
  shareReport,
} from '#contracts/http/reports/sharing.ts'
import { addressClass } from '#domain/address-class.ts'
import type { Module } from '../../http/module.ts'
import { makeRateLimit } from '../../http/rate-limit.ts'
import { mailAddresses } from '../alerts/send-mail.ts'
import { sendFile } from '../jobs/send-file.ts'
import { mailsOf, queueMail, retryMail } from './report-mails.ts'
import { findShared, makeShare, openShared, sharesOf } from './share-links.ts'
import { sharedPageOf } from './shared-page.ts'
import { findReport, formatOf } from './stored-report-rows.ts'

/** Tries of one network on share links: 20 at once, then one in two seconds. */
const TRIES = { burst: 20, perSecond: 0.5 }

/** Reports that leave the platform: share links and mail; and what a link answers to people without an account. */
export const reportSharingModule: Module = (mount, deps) => {
  const { meta, now } = deps
  const tries = makeRateLimit(now, TRIES)
  const limit = (address: string) => {
    const wait = tries.take(addressClass(address))
    if (wait > 0) throw new ProductError('request.rate', {}, { retry_after: wait })
  }

  mount(reportDeliveries, async ({ query, caller }) => {
    const { id } = await findReport(meta, caller, query.id)
    const [shares, mails] = await Promise.all([sharesOf(deps, id), mailsOf(deps, id)])
    return { shares, mails, mail: deps.config.smtpUrl !== undefined }
  })

  mount(shareReport, async ({ body, caller, audit }) => {
    const row = await findReport(meta, caller, body.id)
    audit(row.title, `${body.hours} h${body.password === '' ? '' : ', password'}`)
    if (row.state !== 'done' || !row.file) throw new ProductError('data.missing')
    const { id, token } = await makeShare(deps, {
      job: row.id,
      user: caller.userId,
      hours: body.hours,
      password: body.password,
    })
    const data = (await sharesOf(deps, row.id)).find((one) => one.id === id)
    if (!data) throw new ProductError('data.missing')
    return { data, token }
  })

  mount(revokeShare, async ({ body, caller, audit }) => {
    const share = await meta.db
      .selectFrom('report_shares')
      .select(['id', 'job_id'])
      .where('id', '=', body.id)
      .executeTakeFirst()
    if (!share) throw new ProductError('data.missing')
    const row = await findReport(meta, caller, share.job_id)
    audit(row.title)
    await meta.db
      .updateTable('report_shares')
      .set({ revoked_at: now() })
      .where('id', '=', share.id)
      .where('revoked_at', 'is', null)
      .execute()
    return {}
  })

  mount(mailReport, async ({ body, caller, audit }) => {
    const row = await findReport(meta, caller, body.id)
    audit(row.title, body.retry ? 'again' : body.addresses.slice(0, 500))
    if (deps.config.smtpUrl === undefined) throw new ProductError('report.mail_server')
    let { retry: id } = body
    if (id) await retryMail(deps, row.id, id)
    else {
      const addresses = mailAddresses(body.addresses)
      if (!addresses) throw new ProductError('report.mail_addresses')
      id = await queueMail(deps, row, { user: caller.userId, addresses, language: caller.language })
    }
    const data = (await mailsOf(deps, row.id)).find((one) => one.id === id)
    if (!data) throw new ProductError('data.missing')
    return { data }
  })

  mount(sharedPage, async ({ caller, reply }) => {
    const { html, headers } = sharedPageOf(caller.language)
    reply.headers(headers)
    return html
  })

  mount(sharedReport, async ({ body, caller, reply }) => {
    limit(caller.address)
    reply.headers(PRIVATE)
    const found = await findShared(deps, body.token)
    const row = await meta.db.selectFrom('jobs').selectAll().where('id', '=', found.job_id).executeTakeFirstOrThrow()
    const { title, bytes, expires_at, password_hash } = found
    return {
      data: { title, format: STORED_FORMATS[formatOf(row)], bytes, expires_at, has_password: password_hash !== '' },
    }
  })

  mount(sharedFile, async ({ body, caller, reply, audit }) => {
    limit(caller.address)
    audit('share link')
    reply.headers(PRIVATE)
    const shared = await findShared(deps, body.token)
    audit(shared.title, `link of ${shared.username}`)
    await openShared(deps, body.token, body.password)
    return await sendFile(deps.files, reply, { ...shared, id: shared.job_id })
  })
}

const PRIVATE = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' }

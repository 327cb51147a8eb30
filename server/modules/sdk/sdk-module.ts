import { ProductError } from '#contracts/errors.ts'
import { accessGuide, downloadSdk, sdkFiles } from '#contracts/http/sdk.ts'
import type { EVENT_TYPES } from '#domain/vocabulary.ts'
import type { Module } from '../../http/module.ts'
import { findApplication } from '../applications/application-access.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { openFile, readManifest } from './sdk-files.ts'

const NEWEST_WITHIN_MS = 7 * 86_400_000

/** Downloads of the SDKs, and what the access guide shows of an application. */
export const sdkModule: Module = (mount, deps) => {
  const { config, meta, settings, now } = deps

  mount(sdkFiles, () => ({ data: readManifest(config.paths.sdk) ?? null }))

  mount(downloadSdk, ({ query, reply }) => {
    const file = readManifest(config.paths.sdk)?.files.find((one) => one.id === query.id)
    const stream = file && openFile(config.paths.sdk, file)
    if (!stream) throw new ProductError('data.missing')
    reply.header('content-type', 'application/octet-stream')
    reply.header('content-length', file.size)
    reply.header('content-disposition', attachment(file.name))
    return stream
  })

  mount(accessGuide, async ({ query, caller }) => {
    const application = await findApplication(meta, caller, query.appid)
    const keys = await meta.db
      .selectFrom('ingest_keys')
      .select(['id', 'name', 'text'])
      .where('application_id', '=', application.id)
      // Server keys have no text; this keeps them out even if one had.
      .where('kind', '=', 'enrolment')
      .where('revoked_at', 'is', null)
      .orderBy('created_at', 'desc')
      .execute()
    const at = now()
    const answer = await deps.store.answer(
      {
        span: { from: at - NEWEST_WITHIN_MS, to: at + 60_000 },
        basis: 'received',
        filters: [],
        scope: { apps: [application.id] },
        zone: settings().zone,
      },
      { kind: 'rows', limit: 1, order: 'desc', and: [] },
    )
    const row = answer.kind === 'rows' ? answer.rows[0] : undefined
    return {
      data: {
        name: application.name,
        keys: keys.map(({ id, name, text }) => ({ id, name, text: text ?? '' })),
        newest: row
          ? {
              id: row.id,
              type: row.type as keyof typeof EVENT_TYPES,
              platform: row.platform,
              sdk: row.sdk,
              device: row.device,
              received_at: row.receivedAt,
            }
          : null,
        now: at,
      },
    }
  })
}

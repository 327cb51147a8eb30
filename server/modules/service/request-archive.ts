import type { Readable } from 'node:stream'
import type { Selectable } from 'kysely'
import { ZipFile } from 'yazl'
import type { ServiceEntry } from '#contracts/http/service.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { type ListedRequest, requestName } from './request-rows.ts'
import { openAttachment } from './store-attachment.ts'

const README = `AppWarden 服务请求 / service request

request.json      请求与完整对话 / the request and its whole conversation
attachments/      附件，文件名与 request.json 中的 file 一致 / files, named as in request.json

平台所在网络无法访问互联网时，可将此文件用移动介质或邮件转交服务方；其中包含对话原文与附件，请妥善保管。
Where the platform has no internet access, hand this file over by a medium or by mail. It holds the conversation and the files: keep it safe.
`

type AttachmentRow = Selectable<Database['service_attachments']>
export type ArchiveInput = {
  request: ListedRequest
  entries: readonly ServiceEntry[]
  attachments: readonly AttachmentRow[]
  /** Name of the detection that it is about. */
  task: string | null
  application: string
  platform: { name: string; version: string }
  exportedBy: string
  now: number
}

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

/** A name that is safe in every file system, and that no other file of the archive has. */
export function archiveName(name: string, number: number): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}/\\:*?"<>|]/gu, '_').replace(/^\.+/, '_')
  return `attachments/${String(number).padStart(2, '0')}-${clean.slice(-120)}`
}

/** The request as a ZIP, written as it is read. docs/areas/service.md describes request.json. */
export function requestArchive(files: FileStore, input: ArchiveInput): Readable {
  const { request, entries, now } = input
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let source: Readable | undefined
  zip.on('error', (error) => output.destroy(error))
  const options = { mtime: new Date(now), mode: 0o100600 }
  const kept = input.attachments.filter(({ sha256 }) => sha256 !== null)
  const fileOf = new Map(kept.map((one, at) => [one.id, archiveName(one.name, at + 1)]))
  const digests = new Map(input.attachments.map(({ id, digest }) => [id, digest]))
  const document = {
    format: 'appwarden-service-request',
    version: 1,
    exported_at: iso(now),
    exported_by: input.exportedBy,
    platform: input.platform,
    request: {
      number: requestName(request.id),
      subject: request.subject,
      kind: request.kind,
      urgency: request.urgency,
      state: request.state,
      application: input.application,
      detection: input.task,
      author: request.author,
      handler: request.handler,
      created_at: iso(request.created_at),
      reply_due: iso(request.reply_due),
      solve_due: iso(request.solve_due),
      first_reply_at: iso(request.first_reply_at),
      solved_at: iso(request.solved_at),
      closed_at: iso(request.closed_at),
    },
    entries: entries.map(({ at, author, side, move, state, urgency, text, attachments }) => ({
      at: iso(at),
      ...{ author, side, move, state, urgency, text },
      // A file that was deleted after the request was closed has no place in the archive.
      attachments: attachments.map(({ id, name, size }) => ({
        file: fileOf.get(id) ?? null,
        ...{ name, size, sha256: digests.get(id) ?? null },
      })),
    })),
  }
  zip.addBuffer(Buffer.from(README), 'README.txt', options)
  zip.addBuffer(Buffer.from(`${JSON.stringify(document, null, 2)}\n`), 'request.json', options)
  for (const { id, sha256 } of kept)
    zip.addReadStreamLazy(fileOf.get(id) as string, options, (done) => {
      openAttachment(files, sha256 as string).then(
        (file) => {
          source = file.stream()
          source.on('error', (error) => output.destroy(error))
          done(null, source)
        },
        (error: Error) => output.destroy(error),
      )
    })
  zip.end()
  // A browser that goes away ends the file that is being read.
  output.on('close', () => source?.destroy())
  return output
}

import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { ProductError } from '#contracts/errors.ts'
import type { FileStore } from '#storage/files/port.ts'
import { attachment } from './attachment-name.ts'
import type { JobRow } from './job-rows.ts'

const OFFICE = 'application/vnd.openxmlformats-officedocument'
/** By the end of the name; what else there is is CSV. */
const TYPES = {
  '.xlsx': `${OFFICE}.spreadsheetml.sheet`,
  '.docx': `${OFFICE}.wordprocessingml.document`,
  '.pdf': 'application/pdf',
  '.cdx.json': 'application/vnd.cyclonedx+json; version=1.6',
}

/** Media type of a job's file by its name. */
export function mediaType(name: string): string {
  return Object.entries(TYPES).find(([end]) => name.endsWith(end))?.[1] ?? 'text/csv; charset=utf-8'
}

/** Answers with the file of a finished job as a download. Throws data.missing without a file. */
export async function sendFile(
  files: FileStore,
  reply: FastifyReply,
  row: Pick<JobRow, 'id' | 'state' | 'file' | 'file_name'> | undefined,
): Promise<Readable> {
  if (row?.state !== 'done' || !row.file || !(await files.has(row.file))) throw new ProductError('data.missing')
  const file = await files.open(row.file)
  const name = row.file_name ?? `${row.id}.csv`
  reply.header('content-type', mediaType(name))
  reply.header('content-length', file.size)
  reply.header('content-disposition', attachment(name))
  reply.header('x-content-type-options', 'nosniff')
  return file.stream()
}

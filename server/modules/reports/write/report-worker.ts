import type { ReportDocument } from '#engines/report/document.ts'

/**
 * Writes one report and ends: typesetting blocks its thread for up to seconds and takes hundreds of megabytes, which go back with the
 * process. Takes {format, document} and answers {bytes} or {error} over the channel.
 */
export type ReportOrder = { format: 'pdf' | 'docx'; document: ReportDocument }
export type ReportAnswer = { bytes: Uint8Array } | { error: string }

process.once('message', (order) => void work(order as ReportOrder))

async function work({ format, document }: ReportOrder): Promise<void> {
  const answer = (result: ReportAnswer) => process.send?.(result, () => process.disconnect())
  try {
    answer({ bytes: await write(format, document) })
  } catch (error) {
    answer({ error: (error as Error).stack ?? String(error) })
  }
}

async function write(format: ReportOrder['format'], document: ReportDocument): Promise<Uint8Array> {
  if (format === 'pdf') return (await import('./write-pdf.ts')).writePdf(document)
  return (await import('./write-docx.ts')).writeDocx(document)
}

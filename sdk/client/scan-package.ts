import type { ApplicationType, DetectionKind } from './api.generated.ts'
import type { AnswerOf, AppWardenClient } from './client.ts'
import { AppWardenError } from './client.ts'

export type ScanOptions = {
  /** What it is examined for; left out: everything that is offered for the file and needs no phone. */
  kinds?: readonly DetectionKind[]
  /** Id of a strategy, whose gate decides. */
  strategy?: string
  /** Number of the application that the package joins; left out: the one that has its package name. */
  appid?: string
  type?: ApplicationType
  /** Until the detection has ended. */
  timeoutMs?: number
  /** Between two looks at its state. */
  pollMs?: number
  onProgress?: (task: Task) => void
}
type Task = AnswerOf<'detectionTask'>['data']
export type ScanOutcome = { task: Task; passed: boolean; sarif(): Promise<string>; json(): Promise<string> }

/** Larger packages go up in chunks. */
const FORM_BYTES = 8 * 1024 * 1024
const CHUNK_BYTES = 4 * 1024 * 1024

/** Uploads a package, in chunks where it is large; one that is there already is not stored twice. */
export async function uploadPackage(
  client: AppWardenClient,
  name: string,
  bytes: Blob,
  fields: { appid?: string; type?: ApplicationType } = {},
): Promise<AnswerOf<'uploadFile'>['file_object']> {
  if (bytes.size <= FORM_BYTES) {
    const { file_object } = await client.call('uploadFile', { body: fields, file: new File([bytes], name) })
    return file_object
  }
  const encoded = btoa(String.fromCharCode(...new TextEncoder().encode(name)))
  const { headers } = await client.callWithHeaders('createUpload', {
    headers: { 'Upload-Length': bytes.size, 'Upload-Metadata': `filename ${encoded}` },
  })
  const upload_id = (headers.get('location') ?? '').split('/').at(-1) as string
  for (let at = 0; at < bytes.size; at += CHUNK_BYTES)
    await client.call('appendUpload', {
      params: { id: upload_id },
      headers: { 'Upload-Offset': at },
      bytes: bytes.slice(at, at + CHUNK_BYTES),
    })
  const { file_object } = await client.call('uploadFile', { body: { ...fields, upload_id } })
  return file_object
}

/**
 * Uploads a package, has it examined, and waits for the end. `passed`: the gate of the strategy lets it through. A detection of the same
 * file with the same rules that exists already is taken. Throws AppWardenError, and Error where the detection failed or took too long.
 */
export async function scanPackage(
  client: AppWardenClient,
  name: string,
  bytes: Blob,
  options: ScanOptions = {},
): Promise<ScanOutcome> {
  const { strategy, appid, type, timeoutMs = 30 * 60_000, pollMs = 2000, onProgress } = options
  const file = await uploadPackage(client, name, bytes, { ...(appid && { appid }), ...(type && { type }) })
  const kinds = options.kinds ?? (await offeredKinds(client, file.id))
  const id = await startTask(client, { files: [file.id], kinds: [...kinds], ...(strategy && { strategy }) })
  for (const end = performance.now() + timeoutMs; ; ) {
    const { data: task } = await client.call('detectionTask', { query: { id } })
    onProgress?.(task)
    if (task.state === 'failed' || task.state === 'stopped')
      throw new Error(`the detection ${task.state === 'failed' ? 'failed' : 'was stopped'}: ${task.note}`)
    if (task.state === 'detected') {
      const download = async (format: 'sarif' | 'json') =>
        (await client.call('downloadResult', { query: { id, format } })).text()
      return { task, passed: task.gate !== 'fail', sarif: () => download('sarif'), json: () => download('json') }
    }
    if (performance.now() > end) throw new Error('the detection took too long')
    await new Promise((wake) => setTimeout(wake, pollMs))
  }
}

async function offeredKinds(client: AppWardenClient, file: string): Promise<DetectionKind[]> {
  const { data } = await client.call('detectionKinds', { body: { files: [file] } })
  const kinds = data[0]?.kinds ?? []
  return kinds.filter(({ kind, offered, allowed }) => offered && allowed && kind !== 'dynamic').map(({ kind }) => kind)
}

async function startTask(
  client: AppWardenClient,
  body: { files: string[]; kinds: DetectionKind[]; strategy?: string },
): Promise<string> {
  try {
    const { data } = await client.call('createTasks', { body })
    return data[0]?.id as string
  } catch (error) {
    // The same question was asked before: its answer is ours.
    if (AppWardenError.of(error, 'createTasks') && error.key === 'task.exists') {
      const { task } = error.answer
      if (typeof task === 'string') return task
    }
    throw error
  }
}

import { create } from 'zustand'
import { errorText } from '#contracts/errors.ts'
import { FILES_AT_ONCE } from '#contracts/http/assets.ts'
import { loadApplications } from '#src/shared/account/load-applications.ts'
import { ApiError } from '#src/shared/api/api-error.ts'
import { currentLanguage } from '#src/shared/i18n/texts.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { dropUpload, type UploadedFile, uploadPackage } from '#src/shared/upload/upload-package.ts'

/** Files of the upload dialog. They live outside of it, so closing it and leaving the page stop nothing. */
export type UploadState = 'waiting' | 'uploading' | 'checking' | 'paused' | 'done' | 'failed'
export type UploadItem = {
  id: number
  file: File
  state: UploadState
  sent: number
  /** Bytes a second since it was started or resumed; 0 until it can be measured. */
  speed: number
  error: string
  result: UploadedFile | null
}
type Queue = {
  items: readonly UploadItem[]
  isOpen: boolean
  /** Applications are made for package names that have none. */
  makeApplications: boolean
}

const AT_ONCE = 2
export const useUploads = create<Queue>(() => ({ items: [], isOpen: false, makeApplications: true }))

const runs = new Map<number, AbortController>()
const PAUSED = new DOMException('paused', 'AbortError')
let ids = 0
const endings = new Set<(items: readonly UploadItem[]) => void>()

/** Calls back when nothing is left to do after something was done. */
export function onUploadsEnded(listener: (items: readonly UploadItem[]) => void): () => void {
  endings.add(listener)
  return () => endings.delete(listener)
}

export function isUnfinished({ state }: UploadItem): boolean {
  return state === 'waiting' || state === 'uploading' || state === 'checking' || state === 'paused'
}

export function setUploads(change: Partial<Pick<Queue, 'isOpen' | 'makeApplications'>>): void {
  useUploads.setState(change)
}

/** Adds files as far as ten are not exceeded; answers how many were not added. */
export function addUploads(files: readonly File[]): number {
  const { items } = useUploads.getState()
  // A round that is over gives way to the next one.
  const kept = items.some(isUnfinished) ? items : []
  const room = Math.max(0, FILES_AT_ONCE - kept.length)
  const added = files
    .slice(0, room)
    .map((file): UploadItem => ({ id: ++ids, file, state: 'waiting', sent: 0, speed: 0, error: '', result: null }))
  useUploads.setState({ items: [...kept, ...added], isOpen: true })
  next()
  return files.length - added.length
}

export function pauseUpload(id: number): void {
  runs.get(id)?.abort(PAUSED)
}

/** Starts it again; what the server has of it is not sent twice. */
export function resumeUpload(id: number): void {
  change(id, { state: 'waiting', error: '', speed: 0 })
  next()
}

/** Takes a file off the list; one that is not finished is given up. */
export function dropItem(id: number): void {
  const item = useUploads.getState().items.find((one) => one.id === id)
  runs.get(id)?.abort()
  if (item && item.state !== 'done') void dropUpload(item.file)
  useUploads.setState(({ items }) => ({ items: items.filter((one) => one.id !== id) }))
  next()
}

function change(id: number, values: Partial<UploadItem>): void {
  useUploads.setState(({ items }) => ({ items: items.map((one) => (one.id === id ? { ...one, ...values } : one)) }))
}

function next(): void {
  for (const item of useUploads.getState().items)
    if (item.state === 'waiting' && runs.size < AT_ONCE && !runs.has(item.id)) void run(item)
}

async function run({ id, file }: UploadItem): Promise<void> {
  const stop = new AbortController()
  runs.set(id, stop)
  change(id, { state: 'uploading', error: '' })
  let first: { at: number; sent: number } | undefined
  try {
    const result = await uploadPackage(file, {
      create: useUploads.getState().makeApplications && /\.apk$/i.test(file.name),
      signal: stop.signal,
      onSent(sent) {
        const now = performance.now()
        first ??= { at: now, sent }
        const seconds = (now - first.at) / 1000
        change(id, { sent, speed: seconds > 0.5 ? (sent - first.sent) / seconds : 0 })
      },
      onChecking: () => change(id, { state: 'checking', sent: file.size }),
    })
    change(id, { state: 'done', sent: file.size, result })
    const { list } = useApplications.getState()
    if (result.appid !== null && !list?.some((one) => one.id === result.appid))
      void loadApplications().catch(() => undefined)
  } catch (error) {
    if (stop.signal.reason === PAUSED) change(id, { state: 'paused', speed: 0 })
    else if (!stop.signal.aborted) change(id, { state: 'failed', sent: 0, speed: 0, error: reasonOf(error) })
  } finally {
    runs.delete(id)
  }
  next()
  const { items } = useUploads.getState()
  if (items.length > 0 && !items.some(isUnfinished)) for (const listener of endings) listener(items)
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.key === 'request.too_large')
    return errorText('asset.too_large', currentLanguage())
  return error instanceof Error ? error.message : String(error)
}

import { useEffect, useRef, useState } from 'react'
import type { BodyOf, Endpoint, ResponseOf } from '#contracts/http/endpoint.ts'
import { ApiError } from '#src/shared/api/api-error.ts'
import { call } from '#src/shared/api/call.ts'
import { uploadOnce } from '#src/shared/upload/upload-package.ts'

export type ToolRun<T> =
  | { phase: 'idle' }
  | { phase: 'uploading'; names: string; sent: number; size: number }
  | { phase: 'reading'; names: string }
  | { phase: 'done'; result: T }
  | { phase: 'failed'; error: unknown }
  | { phase: 'cancelled' }

const BUSY_MS = 800

/** Sends files and asks a tool about them; the server removes them with its answer, and with a cancel. */
export function useToolRun<E extends Endpoint>(endpoint: E, bodyOf: (ids: readonly string[]) => BodyOf<E>) {
  const [state, setState] = useState<ToolRun<ResponseOf<E>>>({ phase: 'idle' })
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  async function run(files: readonly File[]): Promise<void> {
    stop.current?.abort()
    const aborter = new AbortController()
    stop.current = aborter
    const { signal } = aborter
    const set = (next: ToolRun<ResponseOf<E>>) => {
      if (stop.current === aborter) setState(next)
    }
    const names = files.map(({ name }) => name).join(', ')
    const size = files.reduce((sum, one) => sum + one.size, 0)
    const uploads: { id: string; cancel: () => void }[] = []
    try {
      let before = 0
      set({ phase: 'uploading', names, sent: 0, size })
      for (const file of files) {
        const from = before
        uploads.push(
          await uploadOnce(file, {
            signal,
            onSent: (sent) => set({ phase: 'uploading', names, sent: from + Math.min(sent, file.size), size }),
          }),
        )
        before += file.size
      }
      set({ phase: 'reading', names })
      const body = bodyOf(uploads.map(({ id }) => id))
      set({ phase: 'done', result: await ask(endpoint, body, signal) })
    } catch (error) {
      for (const { cancel } of uploads) cancel()
      if (!signal.aborted) set({ phase: 'failed', error })
    }
  }

  return {
    state,
    run: (files: readonly File[]) => void run(files),
    cancel() {
      stop.current?.abort()
      setState({ phase: 'cancelled' })
    },
  }
}

/** Asked again while the server still reads. */
async function ask<E extends Endpoint>(endpoint: E, body: BodyOf<E>, signal: AbortSignal): Promise<ResponseOf<E>> {
  for (;;) {
    try {
      return await call(endpoint, { body, signal } as Parameters<typeof call<E>>[1], { quiet: true })
    } catch (error) {
      if (!(error instanceof ApiError && error.key === 'asset.busy')) throw error
      await new Promise((over) => setTimeout(over, BUSY_MS))
      signal.throwIfAborted()
    }
  }
}

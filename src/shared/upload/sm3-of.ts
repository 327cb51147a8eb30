let worker: Worker | undefined
let asked = 0
const waiting = new Map<number, { done: (digest: Uint8Array) => void; failed: (error: Error) => void }>()

/** SM3 of the bytes, made in a worker that stays for the page's life. */
export function sm3Of(bytes: Uint8Array): Promise<Uint8Array> {
  worker ??= startWorker()
  const id = ++asked
  return new Promise((done, failed) => {
    waiting.set(id, { done, failed })
    worker?.postMessage({ id, bytes })
  })
}

function startWorker(): Worker {
  const started = new Worker(new URL('./sm3-worker.ts', import.meta.url), { type: 'module' })
  started.onmessage = ({ data }: MessageEvent<{ id: number; digest: Uint8Array }>) => {
    waiting.get(data.id)?.done(data.digest)
    waiting.delete(data.id)
  }
  started.onerror = () => {
    worker = undefined
    for (const { failed } of waiting.values()) failed(new Error('the worker ended'))
    waiting.clear()
  }
  return started
}

import type { Challenge } from '#domain/proof-of-work.ts'

/** The header that solves the challenge, found in a worker so that the page goes on moving. Rejects where the browser starts no worker. */
export function solveProof(challenge: Challenge): Promise<string> {
  const worker = new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' })
  return new Promise<string>((done, failed) => {
    worker.onmessage = ({ data }: MessageEvent<string>) => done(data)
    worker.onerror = () => failed(new Error('the worker ended'))
    worker.postMessage(challenge)
  }).finally(() => worker.terminate())
}

import { startDigests } from './digests.ts'

/** Hashes a file away from the page, in parts: it may be larger than memory. Says how far it is, then the digests. */
const PART = 4 * 1024 * 1024
const scope = self as unknown as {
  onmessage: ((event: MessageEvent<Blob>) => void) | null
  postMessage(message: unknown): void
}

scope.onmessage = ({ data }) => {
  read(data).then(
    (digests) => scope.postMessage({ digests }),
    (error: Error) => scope.postMessage({ error: error.message }),
  )
}

async function read(file: Blob) {
  const digests = startDigests()
  for (let at = 0; at < file.size; at += PART) {
    digests.update(new Uint8Array(await file.slice(at, at + PART).arrayBuffer()))
    scope.postMessage({ done: Math.min(file.size, at + PART) })
  }
  return digests.end()
}

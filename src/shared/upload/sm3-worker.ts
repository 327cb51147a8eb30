import { sm3 } from 'sm-crypto'

/** Hashes the bodies of uploads away from the page: eight megabytes take longer than a frame. */
const scope = self as unknown as {
  onmessage: ((event: MessageEvent<{ id: number; bytes: Uint8Array }>) => void) | null
  postMessage(message: { id: number; digest: string }): void
}
scope.onmessage = ({ data: { id, bytes } }) => scope.postMessage({ id, digest: sm3(bytes) })

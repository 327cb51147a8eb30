import { gmPortable } from '#engines/gm/gm-portable.ts'

/** Hashes the bodies of uploads away from the page: eight megabytes take longer than a frame. */
const scope = self as unknown as {
  onmessage: ((event: MessageEvent<{ id: number; bytes: Uint8Array }>) => void) | null
  postMessage(message: { id: number; digest: Uint8Array }): void
}
scope.onmessage = ({ data: { id, bytes } }) => scope.postMessage({ id, digest: gmPortable.sm3(bytes) })

/**
 * Memory for large bodies, reused: fresh memory for each would wait for a full garbage collection. It is shared, so that another
 * thread reads a body in place, and has room after the body for the journal frame that the thread writes.
 */
export type BodyPool = {
  /** Memory for a body of `size` bytes; undefined when that would exceed the pool's limit. */
  acquire(size: number): Buffer | undefined
  /** Takes memory back that `acquire` returned and that is no longer read; other memory is ignored. */
  release(body: Buffer): void
  /** Bytes handed out, with the room for frames; free memory that is kept is not counted. */
  usedBytes(): number
}

/** Sizes are powers of two from here on, so that released memory fits the next body. */
const LEAST_BYTES = 64 * 1024
/** Free memory that is kept. */
const KEPT_BYTES = 16 * 1024 * 1024

/** `maxBytes`: limit of the memory handed out and kept free together. */
export function bodyPool(maxBytes: number): BodyPool {
  const free: SharedArrayBuffer[] = []
  let kept = 0
  let used = 0
  return {
    acquire(size) {
      const wanted = Math.max(LEAST_BYTES, 2 ** Math.ceil(Math.log2(2 * size)))
      if (used + wanted > maxBytes) return undefined
      const at = free.findIndex((one) => one.byteLength === wanted)
      const memory = at < 0 ? new SharedArrayBuffer(wanted) : (free.splice(at, 1)[0] as SharedArrayBuffer)
      if (at >= 0) kept -= wanted
      used += wanted
      while (used + kept > maxBytes) kept -= free.shift()?.byteLength ?? kept
      return Buffer.from(memory, 0, size)
    },
    release({ buffer }) {
      if (!(buffer instanceof SharedArrayBuffer)) return
      used -= buffer.byteLength
      if (kept + buffer.byteLength > KEPT_BYTES || used + kept + buffer.byteLength > maxBytes) return
      kept += buffer.byteLength
      free.push(buffer)
    },
    usedBytes: () => used,
  }
}

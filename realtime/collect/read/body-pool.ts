/**
 * Memory for large bodies, used again: fresh memory for each would be collected with everything else. It is shared, so that another
 * thread reads a body where it lies, and has room behind the body for what that thread makes of it.
 */
export type BodyPool = {
  /** Room for a body of so many bytes. */
  acquire(size: number): Buffer
  /** Nobody reads what `take` gave any more; other memory is left alone. */
  release(body: Buffer): void
}

const LEAST_BYTES = 256 * 1024
/** Free memory that is kept. */
const KEPT_BYTES = 16 * 1024 * 1024

export function bodyPool(): BodyPool {
  const free: SharedArrayBuffer[] = []
  let kept = 0
  return {
    acquire(size) {
      const wanted = Math.max(LEAST_BYTES, 2 ** Math.ceil(Math.log2(2 * size)))
      const at = free.findIndex((one) => one.byteLength === wanted)
      const memory = at < 0 ? new SharedArrayBuffer(wanted) : (free.splice(at, 1)[0] as SharedArrayBuffer)
      if (at >= 0) kept -= wanted
      return Buffer.from(memory, 0, size)
    },
    release({ buffer }) {
      if (!(buffer instanceof SharedArrayBuffer) || kept + buffer.byteLength > KEPT_BYTES) return
      kept += buffer.byteLength
      free.push(buffer)
    },
  }
}

import { expect, test } from 'vitest'
import { bodyPool } from './body-pool.ts'

const KB = 1024

test('[OBS-01] a pool never hands out more than its limit, counted as allocated, and reuses what comes back', () => {
  const pool = bodyPool(1024 * KB)
  const held: Buffer[] = []
  for (;;) {
    const body = pool.acquire(100 * KB)
    if (!body) break
    held.push(body)
  }
  const allocated = held.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)
  expect(allocated).toBe(1024 * KB)
  expect(pool.usedBytes()).toBe(allocated)
  const first = held[0] as Buffer
  pool.release(first)
  expect(pool.usedBytes()).toBe(allocated - first.buffer.byteLength)
  expect(pool.acquire(100 * KB)?.buffer).toBe(first.buffer)
  expect(pool.acquire(1)).toBeUndefined()
  pool.release(Buffer.alloc(10)) // memory from elsewhere
  for (const body of held) pool.release(body)
  expect(pool.usedBytes()).toBe(0)
  // Free memory of another size makes room for what is needed.
  expect(pool.acquire(500 * KB)?.length).toBe(500 * KB)
})

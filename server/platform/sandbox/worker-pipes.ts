import { readSync, writeSync } from 'node:fs'

/** What a program in the sandbox reads from and says to: its work comes by a pipe, its answers go by another. */
const INPUT = 0
const OUTPUT = 3

/** The next bytes of the input; throws where it ends before. */
export function readInput(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let at = 0
  while (at < size) {
    const read = readSome(bytes, at)
    if (read === 0) throw new Error(`the input ended after ${at} of ${size} bytes`)
    at += read
  }
  return bytes
}

/** A pipe that is empty for now says so instead of waiting. */
function readSome(bytes: Buffer, at: number): number {
  for (;;) {
    try {
      return readSync(INPUT, bytes, at, bytes.length - at, null)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      pause()
    }
  }
}

/** One line of JSON. */
export function say(message: unknown): void {
  const line = Buffer.from(`${JSON.stringify(message)}\n`)
  for (let at = 0; at < line.length; ) {
    try {
      at += writeSync(OUTPUT, line, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      pause()
    }
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
}

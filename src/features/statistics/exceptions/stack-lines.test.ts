import { expect, test } from 'vitest'
import type { StackFrame, StackSegment } from '#contracts/http/exceptions.ts'
import { stackLines, stackText } from './stack-lines.ts'

const frame = (module: string, own: boolean): StackFrame => ({
  raw: `at ${module}.run(A.java:1)`,
  language: 'java',
  module,
  name: 'run',
  file: 'A.java',
  line: 1,
  column: 0,
  address: '',
  own,
  inlined: false,
  context: null,
})
const segment = (frames: StackFrame[]): StackSegment => ({
  relation: 'caused',
  type: 'x.E',
  message: 'm',
  omitted: 3,
  frames,
})

test('[EXC-02] runs of library frames fold, the top frame and own frames stay', () => {
  const mixed = segment([
    frame('androidx.a.B', false),
    frame('com.x.Pay', true),
    frame('kotlin.a.B', false),
    frame('kotlinx.c.D', false),
    frame('com.x.Main', true),
    frame('android.os.Looper', false),
  ])
  expect(stackLines(mixed, true).map((line) => (line.kind === 'fold' ? [line.from, line.to] : line.at))).toEqual([
    0,
    1,
    [2, 3],
    4,
    5,
  ])
  expect(stackLines(mixed, true)[2]).toMatchObject({ packages: ['kotlin.a', 'kotlinx.c'] })
  expect(stackLines(mixed, false)).toHaveLength(6)
})

test('[EXC-02] a copied stack reads as the platform writes it', () => {
  expect(stackText([segment([frame('com.x.Pay', true)])])).toBe(
    'Caused by: x.E: m\n\tat com.x.Pay.run(A.java:1)\n\t... 3 more',
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ATTACHMENT_KINDS } from '#contracts/http/service.ts'
import { isAttachment } from './attachment-kind.ts'

const bytes = (...parts: (string | number)[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...Buffer.from(part)])))

test('[SERV-01] a file is taken where its content begins as its name says', () => {
  for (const [name, content, taken] of [
    ['screen.PNG', bytes(0x89, 'PNG\r\n', 0x1a, '\n', 0), true],
    ['photo.jpeg', bytes(0xff, 0xd8, 0xff, 0xe0), true],
    ['app.apk', bytes('PK', 3, 4, 0, 0), true],
    ['empty.zip', bytes('PK', 5, 6), true],
    ['harden-10490.log', bytes('Your app reinforcement failed!\n包已被加固'), true],
    ['trace.json', bytes('{}'), true],
    ['screen.png', bytes('<svg onload=alert(1)>'), false],
    ['tool.log', bytes('MZ', 0x90, 0, 3), false],
    ['tool.exe', bytes('MZ', 0x90, 0, 3), false],
    ['page.html', bytes('<script>'), false],
    ['drawing.svg', bytes('<svg/>'), false],
    ['noending', bytes('text'), false],
    ['.png', bytes(0x89, 'PNG\r\n', 0x1a, '\n'), true],
    ['app.apk.exe', bytes('PK', 3, 4), false],
    ['short.pdf', bytes('%PD'), false],
  ] as const)
    expect(isAttachment(name, content), name).toBe(taken)
})

test('any name and any bytes are judged without an error, and no other ending is taken', () => {
  fc.assert(
    fc.property(fc.string(), fc.uint8Array({ maxLength: 64 }), (name, head) => {
      const taken = isAttachment(name, head)
      if (taken) expect(ATTACHMENT_KINDS.some((kind) => name.toLowerCase().endsWith(`.${kind}`))).toBe(true)
    }),
  )
})

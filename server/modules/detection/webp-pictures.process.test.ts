import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { apkBytes } from '#tests/support/detect-package.ts'
import { boundedProgram, findIsolation, SCAN_LIMITS } from '../../platform/sandbox/isolation.ts'
import { askWorker } from './ask-worker.ts'
import { NO_EXTRAS, PACKAGE_ORDER } from './scan-messages.ts'

const hidden = mkdtempSync(join(tmpdir(), 'aw-webp-'))
afterAll(() => rmSync(hidden, { recursive: true }))

/** A QR code of 21 x 21 modules that says `DUBO.EXAMPLE/1`, a row a number. */
const QR =
  '1fd17f 105a41 175f5d 17555d 174d5d 105541 1fd57f 000000 19c12f 089ecd 004e92 0c31b0 1bf6d5 001827 1fce9e 105491 175364 1749cb 174c14 105ea8 1fd6f1'

function qrPicture(): Promise<Buffer> {
  const rows = QR.split(' ').map((row) => Number.parseInt(row, 16))
  const modules = Buffer.from(
    rows.flatMap((row) => Array.from({ length: 21 }, (_, x) => ((row >> (20 - x)) & 1 ? 0 : 255))),
  )
  return sharp(modules, { raw: { width: 21, height: 21, channels: 1 } })
    .resize(168, 168, { kernel: 'nearest' })
    .extend({ top: 32, bottom: 32, left: 32, right: 32, background: '#fff' })
    .webp({ quality: 95 })
    .toBuffer()
}

test('[DET-10] WebP pictures are decoded within the bounds of the sandbox, whatever is beside them', async () => {
  const code = await qrPicture()
  const noise = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 2_654_435_761) >>> 24))
  const area = { width: 100, height: 1000, channels: 3 } as const
  const large = await sharp(noise, { raw: area }).resize(6000, 3990).webp({ quality: 60, effort: 0 }).toBuffer()
  const files: Record<string, Buffer> = { 'assets/code.webp': code, 'assets/large.webp': large }
  for (let at = 12; at < 112; at++) {
    const broken = Buffer.concat([code, Buffer.alloc(at)])
    broken[at] = 0xff - (broken[at] ?? 0)
    files[`assets/broken-${at}.webp`] = broken
  }
  const bytes = apkBytes({ files })
  const answer = await askWorker({
    limits: SCAN_LIMITS,
    isolation: await findIsolation(boundedProgram(SCAN_LIMITS), SCAN_LIMITS, { hidden }),
    order: { ...PACKAGE_ORDER, name: 'a.apk', kinds: ['content'] },
    extras: NO_EXTRAS,
    file: { size: bytes.length, stream: () => Readable.from([Buffer.from(bytes)]) },
    signal: new AbortController().signal,
    onProgress() {},
  })
  expect(answer.end).toEqual({ ended: 'done' })
  expect(answer.result?.content.map(({ value, place }) => [value, place.entry])).toContainEqual([
    'DUBO.EXAMPLE/1',
    'assets/code.webp',
  ])
})

import { expect, expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import { SCAN_SCHEMA, type ScanResultSchema } from '#contracts/detection/scan-result.ts'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'

test('the schema of a scan result and what engines say are the same type', () => {
  type Reported = z.infer<typeof ScanResultSchema>
  expectTypeOf<Reported>().toExtend<ScanResult>()
  expectTypeOf<ScanResult>().toExtend<Reported>()
  const schema: ScanResult['schema'] = SCAN_SCHEMA
  expect(schema).toBe('appwarden-scan/1')
})

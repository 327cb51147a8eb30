import { expect, test } from 'vitest'
import { APPLICATION_TYPES, FILE_TYPES } from './detection/kinds.ts'
import { fileManage } from './http/assets.ts'

test('[ASSET-02] the 21 application types have their required names and order', () => {
  expect(Object.values(APPLICATION_TYPES).map(({ en }) => en)).toEqual([
    'Financial lending',
    'Online payment',
    'Online shopping',
    'Online car hailing',
    'Short video',
    'Traffic ticketing',
    'Map navigation',
    'Express delivery',
    'Take-out food',
    'Recruitment',
    'House rental and sale',
    'Used-car trading',
    'Consultation or medical registration',
    'News information',
    'Blog forum',
    'Security management',
    'Browser',
    'Typewriting',
    'Instant messaging',
    'Exercise and fitness',
    'Marriage and blind date',
  ])
})

test('[ASSET-02] package files: empty asks for all, 1 android, 2 IOS, 3 JAR, 5 SO, 4 AAR, 6 AAB', () => {
  expect(Object.fromEntries(Object.entries(FILE_TYPES).map(([id, { en }]) => [id, en]))).toEqual({
    1: 'Android',
    2: 'IOS',
    3: 'JAR',
    4: 'AAR',
    5: 'SO',
    6: 'AAB',
  })
  const query = fileManage.query
  for (const file_type of ['', '1', '2', '3', '4', '5', '6']) expect(query?.safeParse({ file_type }).success).toBe(true)
  for (const file_type of ['0', '7', 'apk']) expect(query?.safeParse({ file_type }).success).toBe(false)
})

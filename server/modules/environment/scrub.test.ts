import { expect, test } from 'vitest'
import { readVariables } from './known-secrets.ts'
import { createScrubber } from './scrub.ts'

const known = [
  'Blue-Lantern-88',
  'https://hooks.example.com/services/T00/B00/tail-of-hook',
  'smtp://mailer:p%40ss-word@mail.example.com',
]
const scrub = createScrubber(known)

test('[ENV-01] values that are known to be secret are taken out in every form', () => {
  for (const text of [
    'tried Blue-Lantern-88 again',
    'at services/T00/B00/tail-of-hook',
    'login p@ss-word refused',
    'login p%40ss-word refused',
  ]) {
    const clean = scrub(text)
    expect(clean).toContain('[redacted]')
    for (const part of ['Lantern', 'tail-of-hook', 'ss-word']) expect(clean).not.toContain(part)
  }
})

test('[ENV-01] what looks like a secret or a person is taken out', () => {
  const lines = [
    '-----BEGIN PRIVATE KEY-----\nMIIB\nabc\n-----END PRIVATE KEY----- rest',
    String.raw`"msg":"-----BEGIN EC PRIVATE KEY-----\nMIIB\n-----END EC PRIVATE KEY-----"`,
    'aw_at_AbCdEf123456',
    'Authorization: Bearer abcdef.ghijkl',
    'GET https://chat.example.com/hook?key=55aa',
    'postgres://someone:pw@db.internal:5432/x',
    'mail to li.wei@bank.example.cn refused',
    '王伟@示例.公司 signed in',
    'from 203.0.113.7 and 2001:db8::17 and ::ffff:198.51.100.3',
    'adapter 00:1a:2b:3c:4d:5e',
    'digest 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ].map(scrub)
  const all = lines.join('\n')
  for (const part of [
    'MIIB',
    'AbCdEf',
    'ghijkl',
    '55aa',
    'someone',
    'db.internal',
    'li.wei',
    '王伟',
    '203.0.113',
    '2001:db8',
    '198.51.100',
    '1a:2b',
    '9f86d0',
  ])
    expect(all).not.toContain(part)
})

test('[ENV-01] what a helper needs stays: times, versions, identifiers of rows, own addresses, file names', () => {
  for (const text of [
    '2026-11-24T10:32:05.123Z info  store: 1,200 rows in 35 ms',
    'listening on 127.0.0.1 port 8080 and ::1',
    'task 3f1c2b9a-0d4e-4f6a-9b1c-2d3e4f5a6b7c ended',
    'at Object.read (file:///opt/appwarden/dist/node/chunk-12.js:10:5)',
    'appwarden_store_lag_seconds 12.5 15000000000',
    'PostgreSQL 18.4, version 1.5.3, 10:32:05',
  ])
    expect(scrub(text)).toBe(text)
})

test('[ENV-01] of environment variables the names are given, and values of those alone that hold no secret', () => {
  const variables = readVariables({
    PORT: '8080',
    APPWARDEN_ADMIN_PASSWORD: 'Blue-Lantern-88',
    DATABASE_URL: 'postgres://a:b@c/d',
    PATH: '/bin',
    SHELL: '/bin/sh',
  })
  expect(variables).toEqual([
    { name: 'APPWARDEN_ADMIN_PASSWORD', value: 'set' },
    { name: 'DATABASE_URL', value: 'set' },
    { name: 'PORT', value: '8080' },
  ])
})

import { expect, test } from 'vitest'
import { errorAnswer } from './errors.ts'

test('while PostgreSQL restarts a call answers 503 server.starting, with or without a token; other failures stay internal', () => {
  const caller = { bearer: false, language: 'en' as const }
  const failing = (fields: object, message = 'x') => Object.assign(new Error(message), fields)
  for (const error of [
    failing({ code: '57P03' }, 'the database system is starting up'),
    failing({ code: '57P01' }),
    failing({ code: 'ECONNREFUSED', syscall: 'connect' }),
    failing({ code: 'ENOENT', syscall: 'connect' }),
    failing({}, 'Connection terminated unexpectedly'),
  ])
    expect(errorAnswer(error, caller)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
      body: { code: 500118, key: 'server.starting' },
    })
  for (const error of [failing({ code: 'ENOENT', syscall: 'open' }), failing({ code: '23505' }), new Error('bug')])
    expect(errorAnswer(error, caller)).toMatchObject({ status: 500, body: { key: 'server.internal' } })
})

test('a statement beyond its limit answers server.query_timeout: 200 with the code for the console, 504 for a token', () => {
  for (const error of [Object.assign(new Error('x'), { code: '57014' }), new Error('Query read timeout')])
    for (const [bearer, status] of [
      [false, 200],
      [true, 504],
    ] as const)
      expect(errorAnswer(error, { bearer, language: 'en' })).toMatchObject({
        status,
        body: { key: 'server.query_timeout' },
      })
})

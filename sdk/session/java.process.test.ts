import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromBase64url, fromHex, toHex, utf8 } from '#engines/gm/bytes.ts'
import { claimSequence, emptyReplayWindow } from '#engines/session/replay-window.ts'
import {
  bytesOf,
  compileSession,
  NO_JAVA,
  type SessionRig,
  startSessionRig,
} from '#tests/support/session/session-rig.ts'
import vectors from './vectors.generated.json' with { type: 'json' }

describe.skipIf(NO_JAVA)('the Java SDK', () => {
  let rig: SessionRig
  beforeAll(() => {
    rig = startSessionRig()
  })
  afterAll(() => rig.close())

  type Handshake = (typeof vectors.handshakes)[0]
  const keysOf = ({ session }: Handshake) =>
    session.encrypt_request + session.mac_request + session.encrypt_response + session.mac_response
  const sessionWords = (one: Handshake) => [
    `x${one.session.id}`,
    String(one.key_id),
    String(one.session.created),
    String(one.session.expires),
    `x${keysOf(one)}`,
  ]
  const use = async (expires?: number) => {
    const one = vectors.handshakes[0] as Handshake
    await rig.ask(
      'session',
      fromHex(one.session.id),
      one.key_id,
      one.session.created,
      expires ?? one.session.expires,
      fromHex(keysOf(one)),
    )
  }

  test('it makes the hellos, answers and sessions of the published vectors', async () => {
    const { public_key, private_key } = vectors.server_key
    for (const one of vectors.handshakes) {
      const hello = await rig.ask('hello', one.key_id, fromHex(public_key), one.client_time, fromHex(one.client_random))
      expect(hello).toEqual([`x${one.hello}`])
      expect(await rig.ask('finish', fromHex(one.answer))).toEqual(sessionWords(one))
      const given = fromHex(one.server_random)
      const answer = await rig.ask(
        'answer',
        one.key_id,
        fromHex(private_key),
        fromHex(one.hello),
        one.server_time,
        one.lifetime,
        given,
      )
      expect(answer).toEqual([`x${one.answer}`, ...sessionWords(one)])
    }
  })

  test('it seals and opens the messages of the published vectors', async () => {
    for (const one of vectors.requests) {
      await use(one.time + 1)
      const path = utf8(one.path)
      const words = [utf8(one.content_type), utf8(one.query), fromHex(one.body)]
      const sealed = await rig.ask('seal-request', one.method, path, one.sequence, one.time, fromHex(one.iv), ...words)
      expect(sealed).toEqual([`x${one.message}`])
      const opened = await rig.ask('open-request', one.method, path, one.time, fromHex(one.message))
      expect(opened).toEqual([String(one.sequence), ...words.map((word) => `x${toHex(word)}`)])
    }
    for (const one of vectors.responses) {
      const words = [utf8(one.content_type), fromHex(one.body)]
      const sealed = await rig.ask('seal-response', one.status, one.sequence, one.time, fromHex(one.iv), ...words)
      expect(sealed).toEqual([`x${one.message}`])
      const opened = await rig.ask('open-response', one.status, one.sequence, fromHex(one.message))
      expect(opened).toEqual(words.map((word) => `x${toHex(word)}`))
    }
  })

  test('it refuses what the published vectors refuse, for the same reasons', async () => {
    await use()
    for (const { name, method, path, now, message, reason } of vectors.refused_requests)
      await expect(rig.ask('open-request', method, utf8(path), now, fromHex(message)), name).rejects.toThrow(
        `refused ${reason}`,
      )
  })

  test('it refuses changed answers, hellos and points', async () => {
    const [one] = vectors.handshakes as [Handshake]
    const { public_key, private_key } = vectors.server_key
    const hello = fromHex(one.hello)
    for (const [at, reason] of [
      [0, 'version'],
      [2, 'version'],
      [14, 'clock'],
      [32, 'point'],
      [60, 'point'],
      [161, 'point'],
    ] as const) {
      const changed = hello.map((byte, index) => (index === at ? byte ^ 0x40 : byte))
      const asked = rig.ask(
        'answer',
        one.key_id,
        fromHex(private_key),
        changed,
        one.server_time,
        60,
        fromHex(one.server_random),
      )
      await expect(asked, String(at)).rejects.toThrow(`refused ${reason}`)
    }
    await rig.ask('hello', one.key_id, fromHex(public_key), one.client_time, fromHex(one.client_random))
    const answer = fromHex(one.answer)
    for (let at = 0; at < answer.length; at += 5) {
      const changed = answer.map((byte, index) => (index === at ? byte ^ 1 : byte))
      await expect(rig.ask('finish', changed), String(at)).rejects.toThrow('refused')
    }
  })

  test('its replay window and its base64url agree with those of TypeScript', async () => {
    const number = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 4000 }))
    await fc.assert(
      fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 60 }), async (numbers) => {
        let window = emptyReplayWindow()
        const expected = numbers.map((one) => {
          const next = claimSequence(window, one)
          window = next ?? window
          return next ? '1' : '0'
        })
        expect(await rig.ask('window', ...numbers)).toEqual([expected.join('')])
      }),
      { numRuns: 60 },
    )
    for (const text of ['', 'A', 'AA', 'AB', 'AAA', 'AAB', 'AAAA', '-_-_', 'A+==', 'AA=', 'é']) {
      const own = fromBase64url(text)
      const [got] = await rig.ask('base64url', text)
      expect([text, got]).toEqual([text, own ? `x${toHex(own)}` : 'none'])
    }
    expect(toHex(bytesOf('x00ff'))).toBe('00ff')
  })

  test('the filter compiles for containers with javax.servlet too', () => {
    const folder = mkdtempSync(join(tmpdir(), 'aw-javax-'))
    try {
      const files = readdirSync('sdk/session', { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.java'))
        .map((name) => join('sdk/session', name))
      // A public class is in a file of its own name: a folder for each file.
      const paths = files.map((name) => {
        const path = join(mkdtempSync(join(folder, 'source-')), basename(name))
        writeFileSync(path, readFileSync(name, 'utf8').replaceAll('jakarta.servlet', 'javax.servlet'))
        return path
      })
      compileSession(join(folder, 'classes'), { files: paths })
      const made = readdirSync(join(folder, 'classes'), { recursive: true, encoding: 'utf8' })
      expect(made).toContain(join('io', 'appwarden', 'session', 'servlet', 'SessionFilter.class'))
      expect(made.filter((name) => name.startsWith('jakarta'))).toEqual([])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

import { OWN_GATEWAY, runCommunicationTest, type TestAnswer } from '#contracts/http/communication.ts'
import { fromBase64url, fromHex, toBase64url, utf8 } from '#engines/gm/bytes.ts'
import { gmPortable } from '#engines/gm/gm-portable.ts'
import { finishHandshake, startHandshake } from '#engines/session/handshake.ts'
import { decodeResponseBody, encodeRequestBody, SESSION_HTTP } from '#engines/session/http-body.ts'
import { openResponse, sealRequest } from '#engines/session/message.ts'
import type { Session } from '#engines/session/session.ts'
import { call } from '#src/shared/api/call.ts'
import type { BrokenResult, LiveTestState, Stage } from './live-test-state.ts'

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
/** A number that no key has. */
const NO_KEY = 4_000_000_000
const STALE_SECONDS = 600

type TestInput = {
  gateway: string
  key: { kid: number; publicKey: string }
  /** Number of a key of the application that is no longer accepted, for one of the broken messages. */
  endedKid: number | undefined
  path: string
  query: string
  text: string
  signal: AbortSignal
}

type Sent = { method: 'POST'; path: string; content_type: string; body: string }

const sealed = (path: string, message: Uint8Array): Sent => ({
  method: 'POST',
  path,
  content_type: SESSION_HTTP.mediaType,
  body: toBase64url(message),
})

async function send(input: TestInput, ...requests: Sent[]): Promise<TestAnswer[]> {
  const { gateway, signal } = input
  const { data } = await call(runCommunicationTest, { body: { gateway, requests }, signal }, { quiet: true })
  return data
}

/**
 * Makes a session and one request in this browser with what the browser SDK consists of (engines/session, gmPortable; not its file, whose
 * client makes no broken messages), then six broken ones. `show` gets the state after every step. Throws ApiError where the
 * console or the gateway does not answer.
 */
export async function runLiveTest(input: TestInput, show: (state: LiveTestState) => void): Promise<void> {
  const { key, path, query, text } = input
  const stages: Stage[] = []
  const state: LiveTestState = { isOwn: input.gateway === OWN_GATEWAY, stages, broken: [], isDone: false }
  const publish = () => show({ ...state, stages: [...stages], broken: [...state.broken] })
  function timed<T>(id: Stage['id'], bytesOf: (result: T) => Pick<Stage, 'bytes' | 'into'>, work: () => T): T {
    const began = performance.now()
    const result = work()
    stages.push({ id, place: 'browser', micros: (performance.now() - began) * 1000, isOk: true, ...bytesOf(result) })
    publish()
    return result
  }
  function add(id: Stage['id'], answer: TestAnswer, bytes: number): void {
    const inside = answer.stages.reduce((sum, { micros }) => sum + micros, 0)
    stages.push({ id, place: 'browser', micros: Math.max(0, answer.micros - inside), bytes, isOk: answer.status < 400 })
    for (const { stage, micros, bytes: size } of answer.stages)
      stages.push({ id: stage, place: 'gateway', micros, bytes: size, isOk: true })
    publish()
  }

  publish()
  const nowSeconds = () => Math.floor(Date.now() / 1000)
  const begun = timed(
    'hello',
    ({ hello }) => ({ bytes: hello.length }),
    () => startHandshake({ keyId: key.kid, publicKey: fromHex(key.publicKey), now: nowSeconds(), random }),
  )
  const [helloAnswer] = (await send(input, sealed(SESSION_HTTP.handshakePath, begun.hello))) as [TestAnswer]
  add('sendHello', helloAnswer, begun.hello.length)
  if (helloAnswer.status !== 200) return fail(helloAnswer)
  const answered = fromBase64url(helloAnswer.body) ?? new Uint8Array(0)
  const session = timed(
    'confirm',
    () => ({ bytes: answered.length }),
    () => finishHandshake(gmPortable, begun.pending, answered),
  )
  // The server's clock: this computer's may differ.
  const offset = session.created - nowSeconds()
  const time = () => nowSeconds() + offset

  const plaintext = encodeRequestBody({ contentType: 'application/json', query, body: utf8(text) })
  let sequence = 1
  const seal = (over: { path?: string; time?: number } = {}, one: Session = session) =>
    sealRequest(gmPortable, one, plaintext, {
      ...{ sequence: sequence++, time: time(), iv: random(16), method: 'POST', path },
      ...over,
    })
  const message = timed(
    'seal_',
    (result) => ({ bytes: plaintext.length, into: result.length }),
    () => seal(),
  )
  state.request = { path, message, plaintext: text, query }
  const [reply] = (await send(input, sealed(path, message))) as [TestAnswer]
  add('sendMessage', reply, message.length)
  state.reply = reply
  if (reply.content_type !== SESSION_HTTP.mediaType) return fail(reply)
  const sealedReply = fromBase64url(reply.body) ?? new Uint8Array(0)
  const opened = timed(
    'open_',
    ({ body }) => ({ bytes: sealedReply.length, into: body.length }),
    () => {
      const { plaintext } = openResponse(gmPortable, session, sealedReply, { status: reply.status, sequence: 1 })
      return decodeResponseBody(plaintext) ?? { contentType: '', body: new Uint8Array(0) }
    },
  )
  state.answer = new TextDecoder().decode(opened.body)
  publish()

  const flipped = seal()
  const middle = flipped.length - 40
  flipped[middle] = (flipped[middle] as number) ^ 1
  const wrongKey = startHandshake({
    keyId: input.endedKid ?? NO_KEY,
    publicKey: fromHex(key.publicKey),
    now: time(),
    random,
  })
  const attempts: [BrokenResult['kind'], Sent][] = [
    ['replay', sealed(path, message)],
    ['byte', sealed(path, flipped)],
    ['stale', sealed(path, seal({ time: time() - STALE_SECONDS }))],
    [input.endedKid === undefined ? 'noKey' : 'endedKey', sealed(SESSION_HTTP.handshakePath, wrongKey.hello)],
    ['path', sealed(path, seal({ path: `${path}/other` }))],
    ['plain', { method: 'POST', path, content_type: 'application/json', body: toBase64url(utf8(text)) }],
  ]
  const answers = await send(input, ...attempts.map(([, one]) => one))
  for (const [at, [kind]] of attempts.entries()) {
    const one = answers[at] as TestAnswer
    const words = new TextDecoder().decode(fromBase64url(one.body) ?? new Uint8Array(0))
    state.broken.push({
      kind,
      status: one.status,
      answer: words.slice(0, 120),
      outcome: one.outcome,
      isRefused: one.status >= 400 && one.content_type !== SESSION_HTTP.mediaType,
    })
  }
  state.isDone = true
  publish()

  function fail(answer: TestAnswer): void {
    state.refusal = { status: answer.status, outcome: answer.outcome }
    state.isDone = true
    publish()
  }
}

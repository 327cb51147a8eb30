// @vitest-environment jsdom

import { sm2 } from 'sm-crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isLogin, logout, pTags, signin, userGroup } from '#contracts/http/accounts.ts'
import { applicationList, createApplication } from '#contracts/http/applications.ts'
import { fromBase64url, toHex, utf8 } from '#engines/gm/bytes.ts'
import { openRequest, sealResponse } from '#engines/gm/envelope.ts'
import { gmPortable } from '#engines/gm/gm-portable.ts'
import { parseSignature, verifySignature } from '#engines/gm/signature.ts'
import { setLanguage } from '../i18n/texts.ts'
import { call } from './call.ts'
import { configureApi } from './configure.ts'
import { credentials, learnServerTime, setCredentials } from './credentials.ts'
import { downloadHref } from './download-href.ts'
import { learnServer } from './envelope.ts'
import { bootSession, signIn } from './session.ts'

/** The server as the network shows it: what it was asked, and what it answers. */
type Asked = { method: string; target: string; headers: Record<string, string>; body: string }
let asked: Asked[] = []
let answers: ((request: Asked) => Response | Promise<Response>)[] = []
const json = (body: object, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

const notices: string[] = []
const went: string[] = []
let signedOut = 0
const KEY = new Uint8Array(32).fill(7)

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  asked = []
  answers = []
  notices.length = 0
  went.length = 0
  signedOut = 0
  sessionStorage.clear()
  history.replaceState(null, '', '/home')
  await setLanguage('zh')
  learnServerTime(Math.floor(Date.now() / 1000))
  setCredentials({
    signatureKey: KEY,
    token: 'x-token',
    jwt: 'jwt',
    sid: 'label',
    username: 'a@example.com',
    isEncrypt: false,
  })
  configureApi({
    notify: (message, options) => notices.push(options?.ms ? `${message} ${options.ms}` : message),
    navigate: (path) => went.push(path),
    onSignedOut: () => signedOut++,
  })
  vi.stubGlobal('fetch', async (target: string, init: RequestInit) => {
    const request = {
      method: init.method ?? 'GET',
      target,
      headers: init.headers as Record<string, string>,
      body: (init.body as string | undefined) ?? '',
    }
    asked.push(request)
    init.signal?.throwIfAborted()
    const answer = answers.shift()
    if (!answer)
      return new Promise((_, fail) => init.signal?.addEventListener('abort', () => fail(init.signal?.reason)))
    return answer(request)
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
/** The server's private key of GB/T 32918.5, annex A, whose public key p-tags returns here. */
const PRIVATE = '3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8'
const PUBLIC =
  '0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13'
const system = (kid = 1, isEncrypt = true) =>
  json({ code: 0, tags: [], data: { envelope_key: { kid, public_key: PUBLIC }, is_encrypt: isEncrypt } })
/** Opens a request as the server does; undefined where it came plain. */
function opened({ method, target, headers, body }: Asked) {
  const [path = '', query] = target.split('?')
  const fields = method === 'POST' ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(query))
  if (typeof fields.encrypt_data !== 'string') return undefined
  const wrapped = (secret: Uint8Array) =>
    sm2.doDecrypt(toHex(secret.subarray(1)), PRIVATE, 1, { output: 'array' }) as unknown as number[]
  const { plain, channel } = openRequest(gmPortable, fields.encrypt_data, {
    context: { method, path, sid: headers['x-token'] ? 'label' : '' },
    tstamp: Number(headers['tstamp']),
    rid: fromBase64url(parseSignature(headers['signature'] as string)?.nonce ?? '') as Uint8Array,
    unwrap: (_, secret) => Uint8Array.from(wrapped(secret)),
  })
  return { plain: JSON.parse(new TextDecoder().decode(plain)), channel }
}
/** An answer that is sealed for the request. */
const sealed = (answer: object) => (request: Asked) => {
  const exchange = opened(request)
  if (!exchange) return json({ code: 500108, codemsg: '' }, 400)
  const plain = utf8(JSON.stringify(answer))
  const text = sealResponse(gmPortable, exchange.channel, { status: 200, serverTime: 1, iv: new Uint8Array(16), plain })
  return json({ encrypt_data: text })
}
const encrypt = () => {
  learnServer({ envelope_key: { kid: 1, public_key: PUBLIC }, is_encrypt: true })
  setCredentials({ ...(credentials() as NonNullable<ReturnType<typeof credentials>>), isEncrypt: true })
}
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (error: Error & { key?: string }) => error.key ?? error.message,
  )

test('[REQ-01] calls carry signature, tstamp, X-Token, jwt_token, idle seconds and the language', async () => {
  answers = [() => json({ code: 0, codemsg: '', object_list: [] })]
  expect(await call(createApplication, { body: { name: '钱包', mimetype_list: [1] } })).toMatchObject({
    object_list: [],
  })
  const [{ headers, body, target, method }] = asked as [Asked]
  expect(headers).toMatchObject({
    'x-token': 'x-token',
    jwt_token: 'jwt',
    'accept-language': 'zh',
    'x-idle': expect.stringMatching(/^\d+$/),
  })
  const parsed = parseSignature(headers['signature'] as string)
  if (!parsed) throw new Error('no signature')
  const request = { method, target, tstamp: headers['tstamp'] as string, body: utf8(body) }
  expect(verifySignature(gmPortable, parsed, request, KEY)).toBe(true)
})

test('[LOGIN-04] calls before sign-in are signed with prefix 0 and carry no token', async () => {
  answers = [() => json({ username: 'a@example.com', must_change_password: false }), () => json({}, 500)]
  await refused(signIn({ username: 'a', password: 'b', verify_code: 'c' }))
  expect(asked[0]?.target).toBe(signin.path)
  expect(asked[0]?.headers['signature']).toMatch(/^0\./)
  expect(asked[0]?.headers).not.toHaveProperty('x-token')
})

test('[REQ-01] no answer within the time-out says so', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    expect(ms).toBe(15_000)
    return AbortSignal.abort(new DOMException('late', 'TimeoutError'))
  })
  expect(await refused(call(userGroup))).toBe('timeout')
  expect(notices).toEqual(['请求超时！'])
  vi.restoreAllMocks()
})

test('[REQ-03] a code that is not 0 shows codemsg, or lets the caller show it', async () => {
  const refusal = () => json({ code: 500302, codemsg: '请至少选择一个平台' })
  answers = [refusal, refusal]
  expect(await refused(call(createApplication, { body: { name: 'x', mimetype_list: [] } }))).toBe(
    'application.platform_empty',
  )
  expect(notices).toEqual(['请至少选择一个平台'])
  await refused(call(createApplication, { body: { name: 'x', mimetype_list: [] } }, { quiet: true }))
  expect(notices.length).toBe(1)
})

test('[REQ-03] with encryption on, another username is 非法响应 and signs out after 500 ms; 500018 and the named calls are exempt', async () => {
  const other = (code = 0) => sealed({ code, codemsg: 'm', username: 'b@example.com' })
  encrypt()
  answers = [other(500018), other(), other(), sealed({ code: 0 })]
  expect(await refused(call(applicationList))).toBe('permission.missing')
  expect(await refused(call(userGroup))).toBe('answered')
  expect(await refused(call(applicationList))).toBe('illegal')
  expect(notices).toContain('非法响应')
  expect(signedOut).toBe(0)
  await vi.advanceTimersByTimeAsync(499)
  expect(asked.length).toBe(3)
  await vi.advanceTimersByTimeAsync(1)
  await vi.waitFor(() => expect(signedOut).toBe(1))
  expect(asked.at(-1)?.target.split('?')[0]).toBe(logout.path)
})

test('[REQ-02] with encryption on, fields travel in encrypt_data alone and the sealed answer is opened', async () => {
  encrypt()
  answers = [sealed({ code: 0, object_list: ['a'] }), sealed({ code: 0, object_list: ['b'] })]
  expect(await call(createApplication, { body: { name: '钱包', mimetype_list: [1] } })).toMatchObject({
    object_list: ['a'],
  })
  expect(await call(applicationList)).toMatchObject({ object_list: ['b'] })
  expect(opened(asked[0] as Asked)?.plain).toEqual({ name: '钱包', mimetype_list: [1] })
  expect(Object.keys(JSON.parse(asked[0]?.body as string))).toEqual(['encrypt_data'])
  expect(asked[1]?.target).toMatch(/\?encrypt_data=[\w-]+$/)
})

test('[REQ-02] with encryption on, an answer that is plain, changed or of another request is 非法响应', async () => {
  encrypt()
  const first = sealed({ code: 0 })
  let other: Response | undefined
  answers = [
    () => json({ code: 0, object_list: [] }),
    async (request) => {
      const { encrypt_data } = (await first(request).json()) as { encrypt_data: string }
      return json({ encrypt_data: `${encrypt_data.slice(0, -3)}AAA` })
    },
    (request) => {
      other = first(request)
      return json({ encrypt_data: opened(request) && 'AQECAA' })
    },
    () => other as Response,
  ]
  for (let n = 0; n < 4; n++) {
    expect(await refused(call(applicationList))).toBe('illegal')
    encrypt()
  }
})

test('[REQ-02] a key that the server has replaced, and encryption that was switched on meanwhile, are put right once', async () => {
  encrypt()
  answers = [() => json({ code: 500103, codemsg: '' }, 409), () => system(2), sealed({ code: 0, object_list: [] })]
  expect(await refused(call(applicationList))).toBe('answered')
  expect(asked.map(({ target }) => target.split('?')[0])).toEqual([
    applicationList.path,
    pTags.path,
    applicationList.path,
  ])
  learnServer({ envelope_key: { kid: 1, public_key: PUBLIC }, is_encrypt: false })
  answers = [
    () => json({ code: 500108, codemsg: '' }, 400),
    () => system(),
    sealed({ username: 'a@example.com' }),
    () => json({}, 500),
  ]
  await refused(signIn({ username: 'a', password: 'secret', verify_code: 'c' }))
  expect(opened(asked.filter(({ target }) => target === signin.path)[1] as Asked)?.plain).toMatchObject({
    password: 'secret',
  })
})

test('[LOGIN-06] 403: the message for 3 s, sign-out and reload after 2 s, once; not on the login page', async () => {
  const replaced = () => json({ code: 500110, codemsg: '' }, 403)
  answers = [replaced, replaced, replaced]
  await refused(call(userGroup))
  await refused(call(applicationList))
  expect(notices).toEqual(['此账号重复登录，即将退出！ 3000'])
  await vi.advanceTimersByTimeAsync(1999)
  expect(signedOut).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  await vi.waitFor(() => expect(signedOut).toBe(1))

  setCredentials({ signatureKey: KEY, token: 't', jwt: 'j', sid: 's', username: 'a', isEncrypt: false })
  history.replaceState(null, '', '/login')
  answers = [replaced]
  await refused(call(userGroup))
  expect(notices.length).toBe(1)
})

test('[LOGIN-07] 401: the message and a reload, flag and appid cookie gone', async () => {
  localStorage.setItem('isLogin', 'true')
  // biome-ignore lint/suspicious/noDocumentCookie: a required cookie (STORE-01)
  document.cookie = 'appid=5; path=/'
  answers = [() => json({ code: 500111, codemsg: '' }, 401)]
  await refused(call(userGroup))
  expect(notices).toEqual(['用户已退出，需重新登录'])
  expect(signedOut).toBe(1)
  expect(localStorage.getItem('isLogin')).toBeNull()
  expect(document.cookie).not.toContain('appid')
})

test('[REQ-04] other statuses for 3 s, suppressed on the update page; 404 leads to the error page', async () => {
  answers = [
    () => json({}, 502),
    () => new Response('<html>', { status: 500 }),
    () => json({}, 502),
    () => json({}, 404),
  ]
  await refused(call(userGroup))
  await refused(call(userGroup))
  expect(notices).toEqual(['服务器连接异常-502！ 3000', '服务器连接异常-500！ 3000'])
  history.replaceState(null, '', '/platform/systemupdate')
  await refused(call(userGroup))
  expect(notices.length).toBe(2)
  await refused(call(userGroup))
  expect(went).toEqual(['/errorpage'])
})

test('a wrong clock is put right once, with a new nonce; a second refusal is shown', async () => {
  const ahead = Math.floor(Date.now() / 1000) + 900
  const late = () => json({ code: 500104, codemsg: 'late', server_time: ahead }, 400)
  answers = [late, () => json({ code: 0, data: {} }), late, late]
  await call(userGroup)
  expect(Number(asked[1]?.headers['tstamp']) - ahead).toBeLessThan(3)
  expect(asked[0]?.headers['signature']).not.toBe(asked[1]?.headers['signature'])
  expect(await refused(call(userGroup))).toBe('request.time')
  expect(asked.length).toBe(4)
})

test('a renewed jwt is used from the next call on', async () => {
  answers = [() => json({ code: 0 }, 200, { jwt_token: 'fresh' }), () => json({ code: 0 })]
  await call(userGroup)
  await call(userGroup)
  expect(asked[1]?.headers['jwt_token']).toBe('fresh')
})

test('an aborted call raises no error notice', async () => {
  const stop = new AbortController()
  const running = refused(call(userGroup, { signal: stop.signal }))
  stop.abort(new Error('left the page'))
  expect(await running).toBe('left the page')
  expect(notices).toEqual([])
})

test('a wall sends its token and no cookie, and says when it is revoked', async () => {
  sessionStorage.setItem('displayToken', `aw_dt_${'A'.repeat(43)}`)
  let revoked = 0
  configureApi({
    notify: (m) => notices.push(m),
    navigate: (p) => went.push(p),
    onSignedOut: () => signedOut++,
    onWallRevoked: () => revoked++,
  })
  answers = [
    () => json({ code: 500502, codemsg: '大屏令牌已撤销' }, 401),
    () => json({ code: 500002, codemsg: '数据不存在' }, 404),
  ]
  expect(await refused(call(applicationList))).toBe('live.token_revoked')
  expect([revoked, signedOut, notices.length]).toEqual([1, 0, 0])
  expect(asked[0]?.headers).toMatchObject({ authorization: `Bearer aw_dt_${'A'.repeat(43)}` })
  expect(asked[0]?.headers).not.toHaveProperty('signature')
  await refused(call(applicationList))
  expect([notices, went]).toEqual([['数据不存在'], []])
})

test('[LOGIN-03] is_login answers that are not sealed for this page are not believed', async () => {
  learnServer({ envelope_key: { kid: 1, public_key: PUBLIC }, is_encrypt: false })
  answers = [() => json({ is_login: true, username: 'mallory@example.com', sig_key: 'A' })]
  expect(await refused(bootSession())).toBe('illegal')
})

test('[LOGIN-03] is_login needs no p-tags where an earlier page learned the key; a key that was replaced since is read again', async () => {
  learnServer({ envelope_key: { kid: 0, public_key: PUBLIC }, is_encrypt: false })
  await fresh(localStorage.getItem('envelope'))
  answers = [
    () => json({ code: 500108, codemsg: '' }, 400),
    () => json({ tags: [], data: { envelope_key: { kid: 1, public_key: PUBLIC }, is_encrypt: false } }),
    sealed({ code: 500010, codemsg: '' }),
  ]
  const { bootSession } = await import('./session.ts')
  expect(await bootSession()).toBeNull()
  expect(asked.map(({ target }) => target.split('?')[0])).toEqual([isLogin.path, pTags.path, isLogin.path])
  expect(JSON.parse(localStorage.getItem('envelope') ?? '').envelope_key.kid).toBe(1)
  for (const damaged of [null, '', '{', '{"envelope_key":{"kid":1,"public_key":"04"}}', '[]', '7']) {
    const { serverInfo } = await fresh(damaged)
    expect(serverInfo()).toBeUndefined()
  }
})

/** The module as a page has it that was just loaded. */
async function fresh(kept: string | null): Promise<typeof import('./envelope.ts')> {
  vi.resetModules()
  localStorage.removeItem('envelope')
  if (kept !== null) localStorage.setItem('envelope', kept)
  return import('./envelope.ts')
}

test('downloads are addresses with their query', () => {
  expect(downloadHref(pTags)).toBe('/api/accounts/p-tags')
})

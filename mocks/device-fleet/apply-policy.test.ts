import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PolicyDocument } from '#contracts/telemetry/policy.ts'
import { applyPolicy, verifiedPolicy } from './apply-policy.ts'

function makeSigner() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64url'),
    sign: (body: Buffer) => sign('sha256', body, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  }
}
const signer = makeSigner()
const document: PolicyDocument = {
  app: '3',
  policy: 'p',
  version: 2,
  issued_at: 1,
  verdict: 'none',
  rules: { hook: { action: 'block' }, root: { action: 'warn' } },
  collect: { off: [] },
}
const risk = (risk_type: string) => ({ event_id: 'e', type: 'risk', risk_type, action: 'exit', device_id: 'd' })

test('[CONF-02] a phone believes its installation`s signature for its own application, and nothing else', () => {
  const body = Buffer.from(JSON.stringify(document))
  expect(verifiedPolicy(body, signer.sign(body), signer.publicKey, '3')).toEqual(document)
  expect(verifiedPolicy(body, signer.sign(body), signer.publicKey, '4')).toBeUndefined()
  expect(verifiedPolicy(Buffer.from('{}'), signer.sign(body), signer.publicKey, '3')).toBeUndefined()
  const other = makeSigner()
  expect(verifiedPolicy(body, other.sign(body), signer.publicKey, '3')).toBeUndefined()
  expect(verifiedPolicy(body, '', signer.publicKey, '3')).toBeUndefined()
})

test('[CONF-02] what a phone does about a risk is what the policy says; unnamed risks are reported', () => {
  expect(applyPolicy(document, risk('hook'))?.['action']).toBe('block')
  expect(applyPolicy(document, risk('root'))?.['action']).toBe('warn')
  expect(applyPolicy(document, risk('overlay'))?.['action']).toBe('report')
  expect(applyPolicy(undefined, risk('hook'))?.['action']).toBe('report')
  const start = { event_id: 'e', type: 'start', device_id: 'd' }
  expect(applyPolicy(document, start)).toEqual(start)
})

test('[MSSA-05] a banned phone blocks every risk and does nothing but start', () => {
  const banned = { ...document, verdict: 'banned' as const }
  expect(applyPolicy(banned, risk('overlay'))?.['action']).toBe('block')
  expect(applyPolicy(banned, { type: 'start' })).toEqual({ type: 'start' })
  expect(applyPolicy(banned, { type: 'crash' })).toBeUndefined()
})

test('[SDK-04] fields that are off are not sent; consent goes with the place', () => {
  const off = { ...document, collect: { off: ['place', 'user_id', 'unknown'] } }
  const event = { type: 'start', user_id: 'u', place: {}, consent: { location: true }, model: 'm' }
  expect(applyPolicy(off, event)).toEqual({ type: 'start', model: 'm' })
})

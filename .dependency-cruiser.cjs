/**
 * The arrows between the top folders (docs/ARCHITECTURE.md): from -> what it may import. Packages are not judged here.
 * An entry may name a sub-folder ('engines/geo') where only that part is allowed.
 */
const ours = 'runtime contracts domain engines storage server realtime src mocks tests sdk cli scripts'.split(' ')
const arrows = {
  runtime: [],
  domain: [],
  contracts: ['domain'],
  engines: [],
  storage: ['runtime', 'contracts', 'domain'],
  realtime: ['runtime', 'contracts', 'domain', 'engines/geo', 'engines/stack', 'storage'],
  server: ['runtime', 'contracts', 'domain', 'engines', 'storage', 'realtime'],
  src: ['contracts', 'domain', 'engines/gm', 'engines/session'],
  mocks: ['contracts', 'domain', 'engines'],
  sdk: ['contracts', 'domain', 'engines/gm', 'engines/jsguard', 'engines/session'],
  cli: ['runtime', 'contracts', 'domain', 'engines', 'storage', 'server'],
}
/** What `from` must not reach: every folder that its list does not name, and the rest of one that it names in part. */
function outside(from, to) {
  return ours
    .filter((folder) => folder !== from && !to.includes(folder))
    .map((folder) => {
      const parts = to.filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1))
      return parts.length ? `${folder}/(?!(${parts.join('|')})/)` : `${folder}/`
    })
}
const forbidden = Object.entries(arrows).map(([from, to]) => ({
  name: `${from}-arrows`,
  severity: 'error',
  from: { path: `^${from}/`, pathNot: '[.]test[.]tsx?$' },
  to: { path: `^(${outside(from, to).join('|')})` },
}))

module.exports = {
  forbidden: [
    ...forbidden,
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resolved',
      comment:
        'but for assets that Vite resolves by a query, and packages of declarations alone; scripts/map-data and scripts/font-data have their own packages',
      severity: 'error',
      from: { pathNot: '^scripts/(map|font)-data/' },
      to: { couldNotResolve: true, pathNot: '[?]|^(topojson-specification|geojson)$' },
    },
    {
      name: 'feature-alone',
      comment: 'a slice reaches other slices through src/shared and the parts folder of a page group only',
      severity: 'error',
      from: { path: '^src/features/([^/]+/[^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/($1/|[^/]+/parts/)' },
    },
    {
      name: 'shared-below-features',
      severity: 'error',
      from: { path: '^src/shared/' },
      to: { path: '^src/(features|app)/' },
    },
    {
      name: 'features-below-app',
      severity: 'error',
      from: { path: '^src/features/' },
      to: { path: '^src/app/' },
    },
    {
      name: 'no-tests-in-product',
      severity: 'error',
      from: { pathNot: '(^tests/|[.]test[.]tsx?$)' },
      to: { path: '(^tests/|[.]test[.]tsx?$)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|data)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
}

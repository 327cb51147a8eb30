import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { configDefaults, defineConfig } from 'vitest/config'
import { programs } from './server/programs.ts'
import { chunkFileNames, chunkGroups, pageFiles, withoutBarrels } from './vite.chunks.ts'

/** The browser makes no JSON schemas: 6 kB of zod that every sign-in would load. Who calls them there gets the error. */
const withoutJsonSchemas = {
  name: 'without-json-schemas',
  apply: 'build' as const,
  enforce: 'pre' as const,
  load(id: string) {
    if (!/zod[\\/]v4[\\/]core[\\/](to-json-schema|json-schema-processors|json-schema-generator)\.js$/.test(id))
      return undefined
    const names = [
      'createToJSONSchemaMethod',
      'createStandardJSONSchemaMethod',
      'toJSONSchema',
      'JSONSchemaGenerator',
      'aggregateChecks',
    ]
    return names
      .map((name) => `export const ${name} = () => () => { throw new Error('no JSON schemas here') };`)
      .join('\n')
  },
}

/** Most refusals are told by the server's answer. The browser carries the texts of those alone that its own code names. */
const ownErrorTexts = {
  name: 'own-error-texts',
  apply: 'build' as const,
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    if (!id.endsWith('/contracts/errors.ts')) return undefined
    const named = new Set<string>()
    for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' }))
      if (/\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
        for (const [, key] of readFileSync(`src/${file}`, 'utf8').matchAll(/'([a-z_]+\.[a-z_]+)'/g))
          named.add(key as string)
    return code.replace(
      /^( {2}'([a-z_]+\.[a-z_]+)': \{ code: \d+), status: \d+(?:, protocol: true)?(, zh: .*) \},$/gm,
      (_line, head: string, key: string, texts: string) => `${head}${named.has(key) ? texts : ", zh: '', en: ''"} },`,
    )
  },
}

// `vite build` makes dist/web; `vite build --ssr` makes dist/node: one bundle a program, all flat, packages left outside.
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    react(),
    tailwindcss(),
    ...(isSsrBuild ? [] : [withoutJsonSchemas, ownErrorTexts, withoutBarrels, pageFiles]),
    { ...optimizeLocales.vite({ locales: ['zh-CN', 'en-US'] }), enforce: 'pre' as const },
  ],
  // Its one file needs no other package; as a package of its own it would bring a hundred, which nothing here loads.
  ...(isSsrBuild && { ssr: { noExternal: ['javascript-obfuscator'] } }),
  build: isSsrBuild
    ? {
        outDir: 'dist/node',
        target: 'node20',
        ssr: true,
        copyPublicDir: false,
        rolldownOptions: {
          input: { ...programs },
          output: { entryFileNames: '[name].js', chunkFileNames: 'chunk-[name]-[hash].js' },
        },
      }
    : {
        outDir: 'dist/web',
        target: 'es2022',
        chunkSizeWarningLimit: 1500,
        // The plugin above leaves names undefined on purpose.
        rolldownOptions: {
          checks: { importIsUndefined: false },
          output: { codeSplitting: { groups: chunkGroups }, chunkFileNames },
        },
        // Lists of what every page needs would be loaded by everyone at sign-in: the server sends each page its own (pageFiles).
        modulePreload: {
          resolveDependencies: (_file, needed, { hostType }) =>
            hostType === 'html' ? needed : needed.filter((one) => one.endsWith('.css')),
        },
      },
  server: { proxy: { '/api': 'http://127.0.0.1:8080', '/live': { target: 'http://127.0.0.1:8080', ws: true } } },
  test: {
    // Machines are shared: a slow one is no failure. What passes only when tried again is named at the end of `npm test`.
    retry: 1,
    // Half of the time a test waits, for a disk or a database: two at least, where the default is one on two cores; a container
    // may be lent fewer cores than it sees.
    maxWorkers: Math.min(8, Math.max(2, availableParallelism() - 1)),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    setupFiles: ['tests/support/fixed-seed.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          // These share their modules: nothing of theirs starts a program or changes what others import.
          isolate: false,
          include: [
            '{runtime,contracts,domain,engines,storage,server,realtime,mocks,sdk,cli}/**/*.test.ts',
            'tests/{architecture,package}/**/*.test.ts',
          ],
          exclude: ['**/*.process.test.ts', '**/*.delivered.test.ts'],
        },
      },
      // Files that need a document ask for jsdom in their first line: half a second each.
      {
        extends: true,
        test: { name: 'component', environment: 'node', isolate: false, include: ['src/**/*.test.{ts,tsx}'] },
      },
      // Builds the delivered archives, which takes minutes: `npm run test:package` names this project.
      ...(process.argv.includes('package')
        ? [
            {
              extends: true as const,
              test: {
                name: 'package',
                environment: 'node' as const,
                include: ['tests/package/*.delivered.test.ts'],
                testTimeout: 300_000,
                hookTimeout: 900_000,
                retry: 0,
              },
            },
          ]
        : []),
      {
        extends: true,
        test: {
          name: 'contract',
          environment: 'node',
          // Beside the code stand those that start a database, a browser or another program: too slow for `npm run check`.
          include: [
            'tests/{contract,conformance,property,corpus,fuzz,detection-report,host-runtime,monitoring-report}/**/*.test.ts',
            '{engines,storage,server,realtime,mocks,cli,sdk}/**/*.process.test.ts',
          ],
          // What a sample leaves out (scripts/test.mjs).
          exclude: [...configDefaults.exclude, ...(process.env['TEST_LEFT_OUT'] ?? '').split(',').filter(Boolean)],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // It imports JSON without an attribute, which Node itself refuses.
          server: { deps: { inline: ['@actions/workflow-parser', '@actions/expressions'] } },
        },
      },
    ],
  },
}))
